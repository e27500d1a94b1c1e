package io.credential.webhook.delivery.internal.queue;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.DispatcherRules;

/**
 * The tables of one dispatcher. The names of the others derive from those of the endpoints and the deliveries, so that
 * dispatchers with different names share no table.
 */
public record DispatcherTables(
        String endpoints,
        String subscriptions,
        String deliveries,
        String events,
        String attempts,
        String jobs,
        String jobItems,
        String hourlyCounts,
        String lastOutcomes,
        String history) {

    /** The table name that sealed cells are bound to, whatever the actual name of the table is. */
    public static final String LOGICAL_ENDPOINTS = "_credential_webhook_endpoints";

    public static final String DEFAULT_ENDPOINTS = LOGICAL_ENDPOINTS;

    public static final String DEFAULT_DELIVERIES = "_credential_webhook_deliveries";

    /** PostgreSQL silently truncates longer names. */
    private static final int MAX_NAME = 63;

    /** Flyway appends up to six characters for the names of an index and a constraint. */
    private static final int MAX_HISTORY_NAME = MAX_NAME - "_s_idx".length();

    private static final HexFormat HEX = HexFormat.of();

    /**
     * @throws WebhookDispatcherException {@code webhook-dispatcher/bad-opts} if a name is malformed, or both are the same
     */
    public static DispatcherTables named(String endpoints, String deliveries) {
        DispatcherRules.requireTable("endpointsTable", endpoints);
        DispatcherRules.requireTable("deliveriesTable", deliveries);
        if (endpoints.equalsIgnoreCase(deliveries)) {
            throw new WebhookDispatcherException(
                    WebhookDispatcherErrorCode.BAD_OPTS, "endpointsTable and deliveriesTable must be different tables");
        }
        String endpointsStem = stem(endpoints, "endpoints");
        String deliveriesStem = stem(deliveries, "deliveries");
        return new DispatcherTables(
                endpoints,
                join(endpointsStem, "subscriptions"),
                deliveries,
                join(deliveriesStem, "events"),
                join(deliveriesStem, "attempts"),
                join(deliveriesStem, "jobs"),
                join(deliveriesStem, "job_items"),
                join(deliveriesStem, "hourly_counts"),
                join(deliveriesStem, "last_outcomes"),
                join(deliveriesStem, "schema_history", MAX_HISTORY_NAME));
    }

    /** Returns the scripts that create these tables and bring them up to date. */
    public SchemaScripts scripts(SqlDialect dialect) {
        boolean postgresql = dialect == SqlDialect.POSTGRESQL;
        return new SchemaScripts(
                List.of("io/credential/webhook/delivery/internal/queue/migration"),
                history,
                List.of(
                        endpoints,
                        subscriptions,
                        events,
                        deliveries,
                        attempts,
                        jobs,
                        jobItems,
                        hourlyCounts,
                        lastOutcomes),
                Set.of(),
                Map.ofEntries(
                        Map.entry("endpoints", endpoints),
                        Map.entry("subscriptions", subscriptions),
                        Map.entry("deliveries", deliveries),
                        Map.entry("events", events),
                        Map.entry("attempts", attempts),
                        Map.entry("jobs", jobs),
                        Map.entry("job_items", jobItems),
                        Map.entry("hourly_counts", hourlyCounts),
                        Map.entry("last_outcomes", lastOutcomes),
                        Map.entry("subscriptions_by_endpoint", join(subscriptions, "_by_endpoint")),
                        Map.entry("events_by_key", join(events, "_by_key")),
                        Map.entry("deliveries_open", join(deliveries, "_open")),
                        Map.entry("deliveries_dead", join(deliveries, "_dead")),
                        Map.entry("deliveries_suspect", join(deliveries, "_suspect")),
                        Map.entry("deliveries_by_endpoint", join(deliveries, "_by_endpoint")),
                        Map.entry("jobs_open", join(jobs, "_open")),
                        Map.entry("hourly_counts_by_hour", join(hourlyCounts, "_by_hour")),
                        Map.entry("bytes", postgresql ? "bytea" : "blob"),
                        // Statements step through the ids in their order, which must not depend on the locale of the
                        // database.
                        Map.entry("ordered", postgresql ? " collate \"C\"" : "")));
    }

    /** Replaces {@code {endpoints}} and the other names in braces with the names of the tables. */
    public String in(String sql) {
        return sql.replace("{endpoints}", endpoints)
                .replace("{subscriptions}", subscriptions)
                .replace("{deliveries}", deliveries)
                .replace("{events}", events)
                .replace("{attempts}", attempts)
                .replace("{jobs}", jobs)
                .replace("{job_items}", jobItems)
                .replace("{hourly_counts}", hourlyCounts)
                .replace("{last_outcomes}", lastOutcomes);
    }

    private static String stem(String table, String ending) {
        return table.endsWith(ending) ? table.substring(0, table.length() - ending.length()) : table + "_";
    }

    private static String join(String stem, String ending) {
        return join(stem, ending, MAX_NAME);
    }

    /** Shortens long names, and adds a hash of the whole stem to keep them distinct. */
    private static String join(String stem, String ending, int longest) {
        if (stem.length() + ending.length() <= longest) {
            return stem + ending;
        }
        String hash = "_" + HEX.toHexDigits(stem.hashCode()) + "_";
        return stem.substring(0, longest - ending.length() - hash.length()) + hash + ending;
    }
}
