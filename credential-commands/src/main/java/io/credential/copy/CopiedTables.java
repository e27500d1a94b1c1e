package io.credential.copy;

import java.util.List;
import java.util.stream.Stream;

import io.credential.webhook.delivery.queue.DispatcherTables;

/** Which tables are copied, in this order. */
final class CopiedTables {

    static final String API_KEYS = "_credential_api_keys";
    static final String LEASES = "_credential_leases";
    static final String CLUSTER_KEYS = "_credential_cluster_keys";

    private static final List<String> COMMON =
            List.of("_credential_key_checks", API_KEYS, "_credential_nonces", "_credential_audit_log");

    private CopiedTables() {}

    /**
     * Returns all tables but the histories of the schema, since the target has its own, and what running nodes announce:
     * leases and keys. Deliveries that were in flight are therefore taken over from the copy as after a crash.
     */
    static List<String> of(List<DispatcherTables> dispatchers) {
        return Stream.concat(
                        COMMON.stream(),
                        dispatchers.stream()
                                .flatMap(tables -> Stream.of(
                                        tables.endpoints(),
                                        tables.subscriptions(),
                                        tables.events(),
                                        tables.deliveries(),
                                        tables.attempts(),
                                        tables.jobs(),
                                        tables.jobItems())))
                .toList();
    }
}
