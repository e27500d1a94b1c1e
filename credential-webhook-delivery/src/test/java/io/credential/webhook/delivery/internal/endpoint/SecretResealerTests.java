package io.credential.webhook.delivery.internal.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.seal.ResealResult;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.PlainCells;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherRows;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.SecretCells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class SecretResealerTests {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretBytes k1 = SecretBytes.random(32, RANDOM);
    private final SecretBytes k2 = SecretBytes.random(32, RANDOM);
    private final SecretBytes index = SecretBytes.random(32, RANDOM);
    private final Keyring before = Keyring.of("k1", Map.of("k1", k1), index);
    private final Keyring during = Keyring.of("k2", Map.of("k1", k1, "k2", k2), index);
    private final Keyring after = Keyring.of("k2", Map.of("k2", k2), index);
    private final TestDatabase test;
    private final DispatcherRows rows;

    SecretResealerTests(TestDatabase test) {
        this.test = test;
        this.rows = new DispatcherRows(test);
    }

    @Test
    void resealAllWhenCurrentThenLeftAlone() {
        insertSealed("shop");
        String cell = cell("shop");

        assertThat(resealer(before, false).resealAll()).isEqualTo(new ResealResult(1, 0));
        assertThat(cell("shop")).isEqualTo(cell);
    }

    @Test
    void resealAllWhenKeyIsOldThenMovesToTheActiveKey() {
        IntStream.range(0, 401).forEach(i -> insertSealed("shop-" + i));

        assertThat(resealer(during, false).resealAll()).isEqualTo(new ResealResult(401, 401));
        assertThat(resealer(during, false).resealAll()).as("a second time").isEqualTo(new ResealResult(401, 0));

        IntStream.range(0, 401)
                .forEach(i -> assertThat(opened("shop-" + i, after)).isEqualTo("secret of shop-" + i));
    }

    @Test
    void resealAllWhenManyThenProgressIsLogged() {
        rows.database.inTransaction(() -> {
            IntStream.range(0, 10_000).forEach(i -> insertSealed("shop-" + i));
            return true;
        });

        try (CapturedLog log = CapturedLog.of(SecretResealer.class)) {
            resealer(before, false).resealAll();

            assertThat(log.lines())
                    .containsExactly(
                            "Checking _credential_webhook_endpoints: 10000 rows examined, 0 changed so far",
                            "Resealing _credential_webhook_endpoints: 10000 rows examined, 0 changed so far");
        }
    }

    @Test
    void resealAllWhenPoolHasNoAutoCommitThenIsKept() {
        insertSealed("shop");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(test.jdbcUrl());
        config.setAutoCommit(false);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            SecretResealer resealer = new SecretResealer(
                    CredentialDatabase.of(pool), rows.tables, new EndpointSecrets(during, RANDOM, false));

            assertThat(resealer.resealAll()).isEqualTo(new ResealResult(1, 1));
        }
        assertThat(cell("shop")).startsWith("s1.k2.");
    }

    @Test
    void resealAllWhenOneIsPlainThenRefusesAll() {
        insertSealed("a");
        insertPlain("b");

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.RESEAL_WINDOW_CLOSED))
                .withMessageContainingAll(
                        "_credential_webhook_endpoints.secret of endpoint b", "credential.seal.allow-plain-migration")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s0."));
        assertThat(cell("a")).startsWith("s1.k1.");
        assertThat(cell("b")).startsWith("s0.k1.");
    }

    @Test
    void resealAllWhenWindowIsOpenThenMigratesPlain() {
        insertPlain("shop");

        assertThat(resealer(before, true).resealAll()).isEqualTo(new ResealResult(1, 1));

        assertThat(opened("shop", before)).isEqualTo("secret of shop");
    }

    @Test
    void resealAllWhenKeyIsMissingThenRefusesAll() {
        Keyring other = Keyring.of("k3", Map.of("k1", k1, "k3", k2), index);
        insertSealed("a");
        insert(
                "b",
                new EndpointSecrets(other, RANDOM, false)
                        .seal(binding("b"), SignatureScheme.CREDENTIAL, null, secretOf("b"))
                        .current());

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNREADABLE_SECRET))
                .withMessageContainingAll("_credential_webhook_endpoints.secret of endpoint b", "the keyring lacks");
        assertThat(cell("a")).startsWith("s1.k1.");
    }

    @Test
    void resealAllWhenSecretWasMovedThenRefusesAll() {
        insertSealed("a");
        insert("b", cell("a"));

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNREADABLE_SECRET))
                .withMessageContainingAll("_credential_webhook_endpoints.secret of endpoint b", "does not open");
        assertThat(cell("a")).startsWith("s1.k1.");
    }

    @Test
    void resealAllWhenKeyIsOldThenHeadersMoveWithTheSecret() {
        insertSealed("shop");
        setHeaders("shop", before, "shop");

        assertThat(resealer(during, false).resealAll()).isEqualTo(new ResealResult(1, 1));

        Map<String, SecretBytes> headers =
                new EndpointSecrets(after, RANDOM, false).openHeaders(binding("shop"), headers("shop"));
        assertThat(headers).containsOnlyKeys("Authorization");
        assertThat(Objects.requireNonNull(headers.get("Authorization")).<String>use(EndpointSecrets::text))
                .isEqualTo("Bearer of shop");
    }

    @Test
    void resealAllWhenKeyIsOldThenPreviousSecretMovesToo() {
        insertSealed("shop");
        setRotated("shop", before);

        assertThat(resealer(during, false).resealAll()).isEqualTo(new ResealResult(1, 1));

        SecretCells cells = cells("shop");
        try (SecretBytes previous = Objects.requireNonNull(
                new EndpointSecrets(after, RANDOM, false).openPrevious(binding("shop"), cells))) {
            assertThat(new String(previous.toByteArray(), StandardCharsets.UTF_8))
                    .isEqualTo("secret of shop");
        }
    }

    @Test
    void resealAllWhenKeyIsOldThenStaysBoundToTheHeader() {
        SecretCells cells = new EndpointSecrets(before, RANDOM, false)
                .seal(binding("shop"), SignatureScheme.STRIPE, "X-Mac", secretOf("shop"));
        insert("shop", cells.current());
        rows.sql("UPDATE {endpoints} SET scheme = 'stripe', signature_header = 'X-Mac'")
                .update();

        assertThat(resealer(during, false).resealAll()).isEqualTo(new ResealResult(1, 1));

        try (SecretBytes secret = new EndpointSecrets(after, RANDOM, false).open(binding("shop"), cells("shop"))) {
            assertThat(new String(secret.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("secret of shop");
        }
    }

    /** A rotation seals the secret under the active key, but not the headers. */
    @Test
    void resealAllWhenOnlyTheHeadersAreOldThenTheyMove() {
        insert(
                "shop",
                new EndpointSecrets(during, RANDOM, false)
                        .seal(binding("shop"), SignatureScheme.CREDENTIAL, null, secretOf("shop"))
                        .current());
        setHeaders("shop", before, "shop");

        assertThat(resealer(during, false).resealAll()).isEqualTo(new ResealResult(1, 1));

        assertThat(headers("shop")).startsWith("s1.k2.");
    }

    @Test
    void resealAllWhenPreviousSecretWasMovedThenRefusesAll() {
        insertSealed("a");
        setRotated("a", before);
        rows.sql("UPDATE {endpoints} SET previous_until = previous_until + 1").update();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNREADABLE_SECRET))
                .withMessageContaining("_credential_webhook_endpoints.previous_secret of endpoint a does not open");
    }

    @Test
    void resealWhenPreviousWasErasedThenStaysErased() {
        insertSealed("shop");
        setRotated("shop", before);
        SealedEndpoint read = new SealedEndpoint(binding("shop"), cells("shop"), null);
        rows.sql("UPDATE {endpoints} SET previous_secret = NULL, previous_until = NULL")
                .update();

        assertThat(resealer(during, false).reseal(read)).isTrue();

        assertThat(cells("shop").previous()).isNull();
    }

    @Test
    void resealAllWhenHeadersWereMovedThenRefusesAll() {
        insertSealed("a");
        insertSealed("b");
        setHeaders("b", before, "a");

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNREADABLE_SECRET))
                .withMessageContaining("_credential_webhook_endpoints.headers of endpoint b does not open");
        assertThat(cell("a")).startsWith("s1.k1.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "url = 'https://attacker.example/'",
                "audience = 'tenant-2'",
                "audience = NULL",
            })
    void resealWhenTheRowWasChangedThenRefused(String change) {
        insertSealed("a");
        rows.sql("UPDATE {endpoints} SET " + change).update();

        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(resealer(during, false)::resealAll)
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookDispatcherErrorCode.UNREADABLE_SECRET))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("attacker.example"));
        assertThat(cell("a")).startsWith("s1.k1.");
    }

    @Test
    void resealWhenReplacedSinceReadThenNotWrittenOver() {
        insertSealed("shop");
        SecretResealer resealer = resealer(during, false);
        SealedEndpoint read = new SealedEndpoint(
                binding("shop"), SecretCells.of(SignatureScheme.CREDENTIAL, null, cell("shop")), null);
        rows.sql("DELETE FROM {endpoints}").update();
        insert(
                "shop",
                new EndpointSecrets(during, RANDOM, false)
                        .seal(binding("shop"), SignatureScheme.CREDENTIAL, null, secretOf("another shop"))
                        .current());

        assertThat(resealer.reseal(read)).isFalse();

        assertThat(opened("shop", after)).isEqualTo("secret of another shop");
    }

    @Test
    void resealWhenRemovedSinceReadThenStaysRemoved() {
        insertSealed("shop");
        SealedEndpoint read = new SealedEndpoint(
                binding("shop"), SecretCells.of(SignatureScheme.CREDENTIAL, null, cell("shop")), null);
        rows.sql("DELETE FROM {endpoints}").update();

        assertThat(resealer(during, false).reseal(read)).isFalse();

        assertThat(rows.ids("endpoint_id", "{endpoints}")).isEmpty();
    }

    private SecretResealer resealer(Keyring keyring, boolean window) {
        return new SecretResealer(rows.database, rows.tables, new EndpointSecrets(keyring, RANDOM, window));
    }

    private void insertSealed(String endpointId) {
        insert(
                endpointId,
                new EndpointSecrets(before, RANDOM, false)
                        .seal(binding(endpointId), SignatureScheme.CREDENTIAL, null, secretOf(endpointId))
                        .current());
    }

    private void insertPlain(String endpointId) {
        insert(endpointId, PlainCells.seal(before, secretOf(endpointId).toByteArray(), RANDOM));
    }

    private void insert(String endpointId, String cell) {
        rows.sql("""
                        INSERT INTO {endpoints} (endpoint_id, url, audience, secret, created_at)
                        VALUES (:id, 'https://hooks.example/', 'tenant-1', :cell, 0)""").param("id", endpointId).param("cell", cell).update();
    }

    private void setRotated(String endpointId, Keyring keyring) {
        SecretCells rotated = new EndpointSecrets(keyring, RANDOM, false)
                .rotate(binding(endpointId), cells(endpointId), secretOf("another " + endpointId), 1000);
        rows.sql("""
                        UPDATE {endpoints}
                        SET secret = :secret, secret_number = 2, previous_secret = :previous, previous_until = 1000
                        WHERE endpoint_id = :id""")
                .param("secret", rotated.current())
                .param("previous", rotated.previous())
                .param("id", endpointId)
                .update();
    }

    private SecretCells cells(String endpointId) {
        return SealedEndpoint.find(rows.database.jdbc(), rows.tables, endpointId)
                .orElseThrow()
                .secrets();
    }

    private String cell(String endpointId) {
        return rows.sql("SELECT secret FROM {endpoints} WHERE endpoint_id = :id")
                .param("id", endpointId)
                .query(String.class)
                .single();
    }

    private void setHeaders(String endpointId, Keyring keyring, String sealedFor) {
        String cell = new EndpointSecrets(keyring, RANDOM, false)
                .sealHeaders(
                        binding(sealedFor),
                        Map.of("Authorization", SecretBytes.copyOf("Bearer of shop".getBytes(StandardCharsets.UTF_8))));
        rows.sql("UPDATE {endpoints} SET headers = :cell WHERE endpoint_id = :id")
                .param("id", endpointId)
                .param("cell", cell)
                .update();
    }

    private String headers(String endpointId) {
        return rows.sql("SELECT headers FROM {endpoints} WHERE endpoint_id = :id")
                .param("id", endpointId)
                .query(String.class)
                .single();
    }

    private String opened(String endpointId, Keyring keyring) {
        try (SecretBytes secret = new EndpointSecrets(keyring, RANDOM, false)
                .open(binding(endpointId), SecretCells.of(SignatureScheme.CREDENTIAL, null, cell(endpointId)))) {
            return new String(secret.toByteArray(), StandardCharsets.UTF_8);
        }
    }

    private static SecretBinding binding(String endpointId) {
        return new SecretBinding(endpointId, "https://hooks.example/", "tenant-1");
    }

    private static SecretBytes secretOf(String endpointId) {
        return SecretBytes.copyOf(("secret of " + endpointId).getBytes(StandardCharsets.UTF_8));
    }
}
