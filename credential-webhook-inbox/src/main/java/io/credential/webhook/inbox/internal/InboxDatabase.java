package io.credential.webhook.inbox.internal;

import java.time.InstantSource;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/** The database of the inbox, and the clock that all its times are from. Thread-safe. */
final class InboxDatabase {

    private final CredentialDatabase database;
    private final @Nullable InstantSource clock;

    /** @param clock replaces the clock of the database in tests; null for that of the database */
    InboxDatabase(CredentialDatabase database, @Nullable InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    /** Returns a statement whose <code>{now}</code> is the time of the clock. */
    String sql(String template) {
        return template.replace("{now}", clock == null ? database.dialect().now() : ":now");
    }

    /** @param sql from {@link #sql} */
    StatementSpec statement(String sql) {
        StatementSpec statement = database.jdbc().sql(sql);
        return clock == null || !sql.contains(":now") ? statement : statement.param("now", clock.millis());
    }

    <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return database.inTransaction(work);
    }

    <T extends @Nullable Object> T write(Supplier<T> statement) {
        return database.write(statement);
    }

    void afterCommit(Runnable action) {
        database.afterCommit(action);
    }

    SqlDialect dialect() {
        return database.dialect();
    }
}
