package io.credential.internal.cluster;

import java.security.SecureRandom;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whoever can write the row of the lease, but lacks the keyring, must not direct callers and their credentials. */
class ForgedLeaseTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final CredentialDatabase DATABASE = SERVER.database();

    private final Keyring keyring = Keyring.generate(new SecureRandom());
    private final LeaseLeadership leader = node("leader", "https://leader.example", keyring);
    private final LeaseLeadership follower = node("follower", null, keyring);

    @AfterEach
    void removeLease() {
        leader.close();
        follower.close();
        DATABASE.jdbc().sql("DELETE FROM _credential_leases").update();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "advertised_url = 'https://evil.example'",
                "advertised_url = NULL",
                "holder = 'evil/0123456789abcdef'",
                "row_mac = NULL",
                "row_mac = 'm1.unknown.00'",
                "row_mac = replace(row_mac, 'm1.', 'm2.')"
            })
    void requireLeaderWhenRowIsForgedThenNamesNobody(String change) {
        leader.tick();
        DATABASE.jdbc().sql("UPDATE _credential_leases SET " + change).update();

        assertNamesNobody(refusal());
    }

    @Test
    void requireLeaderWhenRowIsInsertedThenNamesNobody() {
        DATABASE.jdbc().sql("""
                        INSERT INTO _credential_leases (name, holder, epoch, expires_at, advertised_url)
                        VALUES ('registry', 'evil/0123456789abcdef', 1, 4102444800000, 'https://evil.example')""").update();

        assertNamesNobody(refusal());
    }

    @Test
    void requireLeaderWhenKeyringsDifferThenNamesNobody() {
        try (LeaseLeadership stranger =
                node("stranger", "https://stranger.example", Keyring.generate(new SecureRandom()))) {
            stranger.tick();

            assertNamesNobody(refusal());
        }
    }

    @Test
    void requireLeaderWhenRowIsAuthenticThenNamesLeader() {
        leader.tick();
        leader.tick(); // renewed

        LeadershipRequiredException refusal = refusal();
        assertThat(refusal.leader()).isEqualTo("leader");
        assertThat(refusal.leaderUrl()).isEqualTo("https://leader.example");
    }

    @Test
    void tickWhenForgedRowHasNotExpiredThenNobodyLeads() {
        leader.tick();
        DATABASE.jdbc()
                .sql("UPDATE _credential_leases SET holder = 'evil/0123456789abcdef'")
                .update();

        leader.tick();
        follower.tick();

        assertThat(leader.isLeader()).isFalse();
        assertThat(follower.isLeader()).isFalse();
    }

    private static void assertNamesNobody(LeadershipRequiredException refusal) {
        assertThat(refusal.leader()).isNull();
        assertThat(refusal.leaderUrl()).isNull();
        assertThat(refusal.getMessage()).doesNotContain("evil").doesNotContain("stranger");
    }

    private LeadershipRequiredException refusal() {
        return assertThatExceptionOfType(LeadershipRequiredException.class)
                .isThrownBy(() -> DATABASE.inTransaction(Duration.ofMinutes(1), () -> {
                    follower.requireLeader();
                    return null;
                }))
                .actual();
    }

    private static LeaseLeadership node(String id, @Nullable String url, Keyring keyring) {
        return new LeaseLeadership(
                DATABASE,
                keyring,
                new LeaseSettings(id, url, Duration.ofHours(1)),
                System::nanoTime,
                new SecureRandom(),
                NodeNotifications.none(),
                epoch -> {});
    }
}
