package io.credential.spring.autoconfigure.audit;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.auditlog.AuditFinding;
import io.credential.auditlog.AuditLog;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.audit.internal.LoggingAuditSink;
import io.credential.testing.CapturedLog;
import io.credential.testing.DatabaseKind;
import io.credential.testing.InParallel;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/** The audit log of an application. */
class AuditLogTests {

    private static final String ENABLED = "credential.audit.jdbc.enabled=true";

    /** The queue, a batch that is being stored, and one more. */
    private static final int TOO_MANY = 10_501;

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner(String... properties) {
        return StarterRunner.on(database, directory).withPropertyValues(properties);
    }

    private List<String> names() {
        return database.database()
                .jdbc()
                .sql("SELECT name FROM _credential_audit_log ORDER BY chain, seq")
                .query((row, index) -> row.getString(1))
                .list();
    }

    private static IssuedApiKey issue(ApiKeyRegistry registry) {
        return registry.issue(IssueRequest.forOwner("owner").scopes("read"));
    }

    @Test
    void logWhenEnabledThenAppendsBesidesLogging() {
        try (CapturedLog lines = CapturedLog.of(LoggingAuditSink.LOGGER_NAME)) {
            runner(ENABLED).run(context -> {
                issue(context.getBean(ApiKeyRegistry.class));
                Patience.until(() -> names().contains("apikey.issue"));
                assertThat(context.getBean(AuditLog.class).verify().findings()).isEmpty();
            });
            assertThat(lines.events()).hasSize(1);
        }

        assertThat(names()).containsExactly("audit.open", "apikey.issue", "audit.close");
    }

    @Test
    void logWhenOlderRowIsPutBackThenShows() {
        runner(ENABLED).run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey key = issue(registry);
            database.database()
                    .jdbc()
                    .sql("CREATE TABLE older AS SELECT * FROM _credential_api_keys")
                    .update();
            registry.revoke(key.id());
            Patience.until(() -> names().contains("apikey.revoke"));
            database.database().jdbc().sql("DELETE FROM _credential_api_keys").update();
            database.database()
                    .jdbc()
                    .sql("INSERT INTO _credential_api_keys SELECT * FROM older")
                    .update();

            assertThat(context.getBean(AuditLog.class).verify().findings())
                    .extracting(AuditFinding::kind, AuditFinding::resourceId)
                    .containsExactly(tuple(AuditFinding.Kind.RESTORED, key.id()));
        });
    }

    /** Without the revocation, the row would be the newest, and the key would be accepted unnoticed. */
    @Test
    void logWhenErasedRowIsPutBackThenShows() {
        runner(ENABLED).run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            IssuedApiKey key = issue(registry);
            database.database()
                    .jdbc()
                    .sql("CREATE TABLE older AS SELECT * FROM _credential_api_keys")
                    .update();
            registry.revokeAllForOwner("owner");
            registry.eraseAllForOwner("owner");
            Patience.until(() -> names().contains("apikey.erase"));
            assertThat(context.getBean(AuditLog.class).verify().findings()).isEmpty();
            database.database()
                    .jdbc()
                    .sql("INSERT INTO _credential_api_keys SELECT * FROM older")
                    .update();

            assertThat(context.getBean(AuditLog.class).verify().findings())
                    .extracting(AuditFinding::kind, AuditFinding::resourceId)
                    .containsExactly(tuple(AuditFinding.Kind.RESTORED, key.id()));
        });
    }

    @Test
    void logWhenDisabledThenThereIsNoTable() {
        runner().run(context -> {
            assertThat(context).doesNotHaveBean(AuditLog.class);
            issue(context.getBean(ApiKeyRegistry.class));
        });

        assertThat(database.database().hasTable("_credential_audit_log")).isFalse();
    }

    @Test
    void logWhenOnlyLogIsConfiguredThenNeedsDatabase() {
        StarterRunner.bare()
                .withPropertyValues(ENABLED)
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void verifyWhenVerificationsAreRecordedThenAppended() {
        runner(ENABLED, "credential.audit.jdbc.record-verifications=true").run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            registry.verify(issue(registry).key());
        });

        assertThat(names()).contains("apikey.verify");
    }

    @Test
    void verifyWhenNotConfiguredThenOnlyFailuresAreAppended() {
        runner(ENABLED).run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            registry.verify(issue(registry).key());
            registry.verify("nonsense");
        });

        assertThat(names()).containsExactly("audit.open", "apikey.issue", "apikey.verify", "audit.close");
    }

    /** Each event would otherwise wait for a second. */
    @Test
    void recordWhenOverflowDropsThenNobodyWaits() {
        runner(ENABLED, "credential.audit.jdbc.on-overflow=drop").run(context -> {
            AuditLog log = context.getBean(AuditLog.class);
            database.database().inTransaction(() -> {
                database.database()
                        .jdbc()
                        .sql("UPDATE _credential_key_checks SET key_id = key_id")
                        .update(); // nobody else can write
                // In a transaction, nobody waits anyway.
                return InParallel.elsewhere(() -> {
                    for (int i = 0; i < 2 * TOO_MANY; i++) {
                        context.getBean(AuditSink.class).record(event());
                    }
                    return true;
                });
            });
            assertThat(log.lostEvents()).isGreaterThanOrEqualTo(TOO_MANY);
            Patience.until(() -> names().contains("audit.lost"));
        });
    }

    @Test
    void sinkWhenApplicationHasOneThenMayPassEventsOn() {
        runner(ENABLED).withBean(AuditSink.class, AuditSink::none).run(context -> {
            issue(context.getBean(ApiKeyRegistry.class));
            context.getBean(AuditLog.class).sink().record(event());
        });

        assertThat(names()).containsExactly("audit.open", "shop.order", "audit.close");
    }

    private static AuditEvent event() {
        return new AuditEvent(
                "shop.order", AuditEvent.Outcome.SUCCESS, null, null, "order", "1", Instant.EPOCH, Map.of());
    }

    @Test
    void versionsWhenKeysAreUnknownThenVerificationFails() {
        assertThat(AuditLogConfiguration.KeyVersions.unknown(List.of())).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> AuditLogConfiguration.KeyVersions.unknown(List.of("0011")))
                .withMessageContaining("io.credential:credential-api-keys");
    }
}
