package io.credential.webhook.delivery;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * A process that dispatches in a transaction and is gone right after its end. Arguments as of a node, {@code outcome}
 * {@code commit} or {@code rollback} among them.
 */
final class HaltingProcess {

    static final int COMMITTED = 41;
    static final int ROLLED_BACK = 42;

    private HaltingProcess() {}

    public static void main(String[] arguments) {
        HikariDataSource pool = DispatcherNode.pool(arguments[0]);
        CredentialDatabase database = CredentialDatabase.of(pool);
        JdbcWebhookDispatcher dispatcher = DispatcherNode.started(DispatcherNode.builder(database, arguments));
        boolean commit = "commit".equals(DispatcherNode.options(arguments).get("outcome"));
        try {
            database.inTransaction(() -> {
                dispatcher.dispatch("event", "{\"outcome\":\"" + (commit ? "commit" : "rollback") + "\"}");
                if (!commit) {
                    throw new IllegalStateException("The caller changed its mind");
                }
                return null;
            });
            Runtime.getRuntime().halt(COMMITTED);
        } catch (IllegalStateException e) {
            Runtime.getRuntime().halt(ROLLED_BACK);
        }
    }
}
