package io.credential.apikey;

import java.util.List;
import java.util.Map;

import io.credential.apikey.Operations.Result;

/** Removes keys that have been dead for long enough, in batches that hold no lock for long. */
final class KeyPurger {

    /** Small enough for the audit trail to name every key of a batch. */
    private static final int BATCH = 100;

    private final RegistryParts parts;
    private final Operations operations;

    KeyPurger(RegistryParts parts, Operations operations) {
        this.parts = parts;
        this.operations = operations;
    }

    int purgeExpired() {
        long before =
                parts.clock().instant().minus(parts.options().purgeAfter()).toEpochMilli();
        int removed = 0;
        List<String> batch;
        do {
            batch = purgeBatch(before);
            removed += batch.size();
        } while (batch.size() == BATCH);
        return removed;
    }

    private List<String> purgeBatch(long before) {
        return operations.change("apikey.purge", () -> {
            List<String> ids = parts.store().purge(before, BATCH);
            return new Result<>(ids, null, Map.of("count", ids.size(), "ids", ids));
        });
    }
}
