package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.leak.internal.TokenMask;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A ticket stands for a key once, for a short time. */
@BothDatabases
class TicketTests extends RegistryTestBase {

    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final IssuedApiKey issued = fixture.issue();
    private final ApiKey key = registry.verify(issued.key()).orElseThrow();

    TicketTests(TestDatabase database) {
        super(database);
        fixture.audit.clear();
    }

    @Test
    void redeemThenTheKey() {
        ApiKeyTicket ticket = ticket();

        Optional<ApiKey> redeemed = registry.redeem(ticket.value());

        assertThat(ticket.keyId()).isEqualTo(issued.id());
        assertThat(ticket.expiresAt()).isEqualTo(fixture.clock.instant().plus(HALF_A_MINUTE));
        assertThat(redeemed).contains(key);
        assertThat(fixture.trail()).containsExactly("apikey.ticket success", "apikey.redeem success");
        assertThat(fixture.audit).allSatisfy(event -> {
            assertThat(event.resourceId()).isEqualTo(issued.id());
            assertThat(event.attributes()).containsEntry("namespace", fixture.namespace);
            assertThat(event.toString()).doesNotContain(secret(ticket));
        });
    }

    @Test
    void redeemWhenRedeemedBeforeThenRejected() {
        ApiKeyTicket ticket = ticket();
        registry.redeem(ticket.value());

        assertRejected(ticket.value(), "unknown");
        assertThat(rows()).isZero();
    }

    @Test
    void redeemWhenAtItsEndThenRejected() {
        ApiKeyTicket inTime = ticket();
        ApiKeyTicket late = ticket();

        fixture.clock.advance(HALF_A_MINUTE.minusMillis(1));
        assertThat(registry.redeem(inTime.value())).isPresent();
        fixture.clock.advance(Duration.ofMillis(1));
        assertRejected(late.value(), "expired");
    }

    @Test
    void redeemWhenKeyIsRevokedThenRejectedAndUsedUp() {
        ApiKeyTicket ticket = ticket();
        registry.revoke(issued.id());

        assertRejected(ticket.value(), "revoked");
        assertRejected(ticket.value(), "unknown");
    }

    @Test
    void redeemWhenKeyIsDisabledThenRejectedAndUsedUp() {
        ApiKeyTicket ticket = ticket();
        registry.disable(issued.id());
        assertRejected(ticket.value(), "disabled");
        registry.enable(issued.id());

        assertRejected(ticket.value(), "unknown");
    }

    @Test
    void redeemWhenKeyHasExpiredThenRejected() {
        registry.update(
                issued.id(),
                ApiKeyChanges.none().expiresAt(fixture.clock.instant().plusSeconds(10)));
        ApiKeyTicket ticket = ticket();

        fixture.clock.advance(Duration.ofSeconds(10));

        assertRejected(ticket.value(), "key-expired");
    }

    @Test
    void redeemWhenKeyIsForgedThenRejected() {
        ApiKeyTicket ticket = ticket();
        fixture.tamper(issued.id(), "version = 7");

        assertRejected(ticket.value(), "integrity");
    }

    @Test
    void redeemWhenKeyIsGoneThenRejected() {
        ApiKeyTicket ticket = ticket();
        fixture.jdbc()
                .sql("delete from _credential_api_keys where id = :id")
                .param("id", issued.id())
                .update();

        assertRejected(ticket.value(), "key-unknown");
    }

    @Test
    void redeemWhenRegistryHasAnotherPrefixThenRejected() {
        ApiKeyTicket ticket = ticket();
        RegistryFixture renamed =
                fixture.reopened(fixture.keyring, options -> options.withPrefix("new"), builder -> builder);

        assertThat(renamed.registry.redeem(ticket.value())).isEmpty();
        assertThat(renamed.trail()).containsExactly("apikey.redeem failure foreign-namespace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "expires_at = expires_at + 1",
                "row_mac = 'm1.k1.00'",
                "row_mac = ''",
            })
    void redeemWhenRowIsForgedThenRejected(String set) {
        ApiKeyTicket ticket = ticket();
        tamper(set);

        assertRejected(ticket.value(), "integrity");
    }

    @Test
    void redeemWhenRowIsMovedToAnotherKeyThenRejected() {
        IssuedApiKey other = fixture.issue();
        ApiKeyTicket ticket = ticket();
        tamper("key_id = '" + other.id() + "'");
        fixture.audit.clear();

        assertThat(registry.redeem(ticket.value().replace(issued.id(), other.id())))
                .isEmpty();
        assertThat(registry.redeem(ticket.value())).isEmpty();
    }

    @Test
    void redeemWhenKeyringLacksKeyThenUnavailableNotUsedUp() {
        ApiKeyTicket ticket = ticket();
        RegistryFixture blind = fixture.reopened(otherKeyring(), options -> options, builder -> builder);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> blind.registry.redeem(ticket.value()))
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(ApiKeyErrorCode.UNAVAILABLE));
        assertThat(blind.trail()).containsExactly("apikey.redeem failure unavailable");
        assertThat(registry.redeem(ticket.value())).isPresent();
    }

    @Test
    void redeemWhenCallerRollsBackThenRedeemableAgain() {
        ApiKeyTicket ticket = ticket();
        fixture.audit.clear();
        new TransactionTemplate(new JdbcTransactionManager(database.dataSource())).executeWithoutResult(status -> {
            assertThat(registry.redeem(ticket.value())).isPresent();
            assertThat(registry.redeem(ticket.value())).isEmpty();
            status.setRollbackOnly();
        });

        assertThat(fixture.trail()).containsExactly("apikey.redeem failure unknown");
        assertThat(registry.redeem(ticket.value())).isPresent();
    }

    @Test
    void redeemThenCountsAsUseOfTheKey() {
        ApiKeyTicket ticket = ticket();
        fixture.clock.advance(Duration.ofSeconds(7));

        registry.redeem(ticket.value());
        fixture.registries.flushLastUsed();

        assertThat(fixture.stored(issued.id(), "last_used_at")).isEqualTo(String.valueOf(fixture.clock.millis()));
    }

    @Test
    void redeemWhenOfAnotherNamespaceThenRejected() {
        RegistryFixture other = RegistryFixture.with(fixture.database, fixture.keyring);
        ApiKeyTicket ticket = ticket();

        assertThat(other.registry.redeem(ticket.value())).isEmpty();
        assertThat(other.registry.redeem(ticket.value().replace(fixture.namespace, other.namespace)))
                .isEmpty();
        assertThat(other.trail())
                .containsExactly("apikey.redeem failure foreign-namespace", "apikey.redeem failure unknown");
        assertThat(registry.redeem(ticket.value())).isPresent();
    }

    @Test
    void ticketThenNotUsableAsKeyAndKeyNotAsTicket() {
        ApiKeyTicket ticket = ticket();
        fixture.audit.clear();

        assertThat(fixture.registries.forToken(ticket.value())).isEmpty();
        assertThat(registry.verify(ticket.value())).isEmpty();
        assertThat(registry.redeem(issued.key())).isEmpty();
        assertThat(fixture.trail())
                .containsExactly(
                        "apikey.verify failure foreign-namespace",
                        "apikey.verify failure foreign-namespace",
                        "apikey.redeem failure malformed");
    }

    @Test
    void ticketWhenRegistryHasItsPrefixThenNotUsableAsKey() {
        RegistryFixture same = new RegistryFixture(
                database, options -> options.withPrefix("ticket").withSecretBytes(32));
        IssuedApiKey alike = same.issue();
        ApiKeyTicket ticket =
                same.registry.ticket(same.registry.verify(alike.key()).orElseThrow(), HALF_A_MINUTE);

        assertThat(same.registry.verify(ticket.value())).isEmpty();
        assertThat(same.registry.redeem(alike.key())).isEmpty();
    }

    @Test
    void ticketThenOnlyItsHashIsStored() {
        ApiKeyTicket ticket = ticket();

        Map<String, @Nullable Object> row = fixture.jdbc()
                .sql("select * from _credential_api_key_tickets where namespace = :namespace")
                .param("namespace", fixture.namespace)
                .query()
                .singleRow();

        assertThat(row).containsEntry("key_id", issued.id());
        assertThat(row.toString()).doesNotContain(secret(ticket));
        assertThat(row.get("ticket_hash")).asString().hasSize(64);
    }

    @Test
    void ticketThenMaskedLikeTokens() {
        ApiKeyTicket ticket = ticket();

        assertThat(ticket.toString()).doesNotContain(secret(ticket));
        assertThat(TokenMask.mask("GET /stream?ticket=" + ticket.value() + "&x=1"))
                .isEqualTo("GET /stream?ticket=ticket_" + fixture.namespace + "_" + issued.id() + "_***&x=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.999S", "PT5M0.001S", "PT0S", "PT-30S", "P3650000000D"})
    void ticketWhenLifetimeIsOutOfRangeThenRefused(Duration lifetime) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> registry.ticket(key, lifetime))
                .withMessage("lifetime must be 1 second to 5 minutes, but is " + lifetime)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(ApiKeyErrorCode.BAD_OPT));
        assertThat(fixture.trail()).containsExactly("apikey.ticket failure bad-opt");
        assertThat(rows()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT5M"})
    void ticketWhenLifetimeIsAtTheBoundThenIssued(Duration lifetime) {
        assertThat(registry.redeem(registry.ticket(key, lifetime).value())).isPresent();
    }

    @Test
    void ticketWhenKeyIsOfAnotherNamespaceThenRefused() {
        RegistryFixture other = new RegistryFixture(database);

        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> other.registry.ticket(key, HALF_A_MINUTE))
                .withMessageContaining(other.namespace)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(ApiKeyErrorCode.BAD_OPT));
    }

    @Test
    void ticketWhenExpiredOnesAreLeftThenSomeAreRemoved() {
        ticket();
        ticket();
        fixture.clock.advance(HALF_A_MINUTE);

        for (int i = 0; i < 100; i++) {
            ticket();
        }

        assertThat(rows()).isEqualTo(100);
    }

    @Test
    void purgeExpiredThenRemovesExpiredTicketsOnly() {
        List<ApiKeyTicket> many =
                IntStream.range(0, 260).mapToObj(i -> ticket()).toList();
        fixture.clock.advance(HALF_A_MINUTE);
        ApiKeyTicket valid = ticket();

        assertThat(registry.purgeExpired()).as("keys").isZero();

        assertThat(many).hasSize(260);
        assertThat(rows()).isEqualTo(1);
        assertThat(registry.redeem(valid.value())).isPresent();
    }

    private ApiKeyTicket ticket() {
        return registry.ticket(key, HALF_A_MINUTE);
    }

    private static String secret(ApiKeyTicket ticket) {
        return ticket.value().substring(ticket.value().lastIndexOf('_') + 1);
    }

    private static Keyring otherKeyring() {
        try (SecretBytes key = SecretBytes.random(32, RegistryFixture.RANDOM);
                SecretBytes index = SecretBytes.random(32, RegistryFixture.RANDOM)) {
            return Keyring.of("k2", Map.of("k2", key), index);
        }
    }

    private void assertRejected(String ticket, String reason) {
        fixture.audit.clear();
        assertThat(registry.redeem(ticket)).isEmpty();
        assertThat(fixture.trail()).containsExactly("apikey.redeem failure " + reason);
    }

    private void tamper(String set) {
        assertThat(fixture.jdbc()
                        .sql("update _credential_api_key_tickets set " + set + " where namespace = :namespace")
                        .param("namespace", fixture.namespace)
                        .update())
                .isEqualTo(1);
    }

    private int rows() {
        return fixture.jdbc()
                .sql("select count(*) from _credential_api_key_tickets where namespace = :namespace")
                .param("namespace", fixture.namespace)
                .query(Integer.class)
                .single();
    }
}
