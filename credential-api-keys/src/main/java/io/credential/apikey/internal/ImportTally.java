package io.credential.apikey.internal;

import java.util.ArrayList;
import java.util.List;

import io.credential.apikey.ImportResult;
import io.credential.apikey.ImportResult.Refusal;

/** Counts what happens to the keys of one import. Not thread-safe. */
final class ImportTally {

    private final List<Refusal> refusals = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private long examined;
    private long imported;
    private long present;
    private long refused;

    /** Returns the position of the next key. */
    long next() {
        return ++examined;
    }

    /** Counts a key that a dry run found nothing against. */
    void importable() {
        imported++;
    }

    void imported(String id) {
        imported++;
        ids.add(id);
    }

    void present() {
        present++;
    }

    void refuse(long position, String reason) {
        refused++;
        if (refusals.size() < ImportResult.MAX_REFUSALS) {
            refusals.add(new Refusal(position, reason));
        }
    }

    /** Returns the ids of the keys that were imported since the last call. */
    List<String> takeIds() {
        List<String> taken = List.copyOf(ids);
        ids.clear();
        return taken;
    }

    ImportResult result() {
        return new ImportResult(examined, imported, present, refused, refusals);
    }
}
