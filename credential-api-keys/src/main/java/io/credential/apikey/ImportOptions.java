package io.credential.apikey;

import java.util.function.Consumer;

import io.credential.apikey.internal.KeyRules;

/**
 * How keys are imported. Immutable.
 *
 * @param dryRun whether nothing is written: the result says what would be
 * @param progress is given the result so far after each batch, on the importing thread; what it throws ends the import
 * @since 0.1.0
 */
public record ImportOptions(boolean dryRun, Consumer<ImportResult> progress) {

    public ImportOptions {
        KeyRules.required(progress, "progress");
    }

    /** Imports, and reports no progress. */
    public static ImportOptions defaults() {
        return new ImportOptions(false, result -> {});
    }

    /** Writes nothing. */
    public ImportOptions asDryRun() {
        return new ImportOptions(true, progress);
    }

    /** Reports the result so far after each batch. */
    public ImportOptions onProgress(Consumer<ImportResult> progress) {
        return new ImportOptions(dryRun, progress);
    }
}
