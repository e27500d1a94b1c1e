package io.credential.copy;

import java.util.List;
import java.util.stream.Stream;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.usage.JdbcUsageStore;
import io.credential.auditlog.internal.JdbcAuditLog;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaScripts;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.inbox.internal.JdbcWebhookInbox;
import io.credential.webhook.replay.internal.JdbcNonceStore;

/**
 * Which tables of an application are copied.
 *
 * @param scripts of its products, without the dispatchers
 */
record CopiedTables(SchemaScripts scripts, List<DispatcherTables> dispatchers) {

    static final String API_KEYS = "_credential_api_keys";
    static final String LEASES = "_credential_leases";
    static final String CLUSTER_KEYS = "_credential_cluster_keys";
    static final String KEY_CHECKS = "_credential_key_checks";

    /**
     * What running nodes announce or count, and tickets, which end within minutes. Deliveries in flight are therefore taken
     * over as after a crash.
     */
    private static final List<String> LEFT_OUT =
            List.of(LEASES, CLUSTER_KEYS, "_credential_rate_limits", JdbcTicketStore.TABLE);

    /** SQLite has no table of rate limits, which keys need on PostgreSQL. */
    private static final List<SchemaScripts> PRODUCTS = List.of(
            JdbcApiKeyRegistries.SCHEMA.and(JdbcBucketStore.SCHEMA),
            JdbcUsageStore.SCHEMA,
            JdbcNonceStore.SCHEMA,
            JdbcWebhookInbox.SCHEMA,
            JdbcAuditLog.SCHEMA);

    /** The scripts of all products, of which an application may not have all. */
    static final SchemaScripts ALL_SCRIPTS = PRODUCTS.stream().reduce(SchemaScripts.CORE, SchemaScripts::and);

    /** Returns the tables of these dispatchers, and of the products that have a table in a database. */
    static CopiedTables in(CredentialDatabase database, List<DispatcherTables> dispatchers) {
        SchemaScripts present = PRODUCTS.stream()
                .filter(product -> product.tables().stream().anyMatch(database::hasTable))
                .reduce(SchemaScripts.CORE, SchemaScripts::and);
        return new CopiedTables(present, dispatchers);
    }

    boolean hasApiKeys() {
        return scripts.tables().contains(API_KEYS);
    }

    /** Returns the names in the order of the copy, without the histories of the schema: the target has its own. */
    List<String> names() {
        return Stream.concat(
                        scripts.tables().stream().filter(table -> !LEFT_OUT.contains(table)),
                        dispatchers.stream()
                                .flatMap(tables -> Stream.of(
                                        tables.endpoints(),
                                        tables.subscriptions(),
                                        tables.events(),
                                        tables.deliveries(),
                                        tables.attempts(),
                                        tables.jobs(),
                                        tables.jobItems(),
                                        tables.hourlyCounts(),
                                        tables.lastOutcomes())))
                .toList();
    }
}
