package io.credential.benchmarks.console;

import java.net.URI;
import java.util.Collections;
import java.util.List;

import io.credential.benchmarks.host.HostDatabase;
import io.credential.benchmarks.scale.StoredRows;

/** What the console shows: a log of deliveries, its endpoints, and API keys. */
final class ConsoleData {

    /** More than fit on a page. */
    private static final int KEYS = 60;

    /** Fewer are registered for a small log. */
    private static final int DELIVERIES_PER_ENDPOINT = 20;

    private static final String PREFIX = "stored-";

    private ConsoleData() {}

    /** Stores it after the application has created the tables. */
    static void store(HostDatabase database, StoredRows rows, int deliveries) {
        rows.log(database.benchmarked(), deliveries / 2);
        List<URI> urls = Collections.nCopies(
                Math.min(StoredRows.LOGGED_ENDPOINTS, deliveries / DELIVERIES_PER_ENDPOINT),
                URI.create("http://127.0.0.1:9/hooks"));
        database.registerEndpoints(PREFIX, urls);
        database.issueKeys(KEYS, "orders:read");
    }
}
