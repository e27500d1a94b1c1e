package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.ImportResult;
import io.credential.apikey.ImportResult.Refusal;
import io.credential.apikey.KeyImport;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.ApiKeyRow.State;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.apikey.internal.foreign.ForeignKeyId;
import io.credential.apikey.internal.foreign.ForeignTokens;
import io.credential.seal.internal.SealException;
import io.credential.secret.internal.ImportedHashes;

/**
 * Imports keys of other systems in batches, each in its own transaction. The id of a key follows from its look-up id or hash,
 * so an import that was interrupted can be repeated: what it has written is found, and left as it is.
 */
final class KeyImporter {

    private static final String OPERATION = "apikey.import";
    private static final int BATCH = 500;
    private static final long FIRST_VERSION = 1;

    private final ApiKeyRegistryOptions options;
    private final Operations operations;
    private final JdbcApiKeyStore store;
    private final RowProtection protection;
    private final ForeignTokens tokens;
    private final Supplier<@Nullable String> actor;
    private final InstantSource clock;

    KeyImporter(
            ApiKeyRegistryOptions options,
            Operations operations,
            JdbcApiKeyStore store,
            RowProtection protection,
            ForeignTokens tokens,
            Supplier<@Nullable String> actor,
            InstantSource clock) {
        this.options = options;
        this.operations = operations;
        this.store = store;
        this.protection = protection;
        this.tokens = tokens;
        this.actor = actor;
        this.clock = clock;
    }

    ImportResult importKeys(Iterator<KeyImport> keys, ImportOptions how) {
        ImportTally tally = new ImportTally();
        while (keys.hasNext()) {
            requireNotInterrupted();
            List<KeyImport> batch = next(keys);
            if (how.dryRun()) {
                Operations.orUnavailable(() -> {
                    examine(batch, tally);
                    return true;
                });
            } else {
                write(batch, tally);
            }
            how.progress().accept(tally.result());
        }
        return tally.result();
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.UNAVAILABLE, "The import was interrupted; repeat it to import the remaining keys");
        }
    }

    private static List<KeyImport> next(Iterator<KeyImport> keys) {
        List<KeyImport> batch = new ArrayList<>(BATCH);
        while (batch.size() < BATCH && keys.hasNext()) {
            batch.add(KeyRules.required(keys.next(), "key"));
        }
        return batch;
    }

    private void examine(List<KeyImport> batch, ImportTally tally) {
        Map<String, Candidate> candidates = candidates(batch, tally);
        Map<String, ApiKeyRow> stored = stored(candidates);
        candidates.forEach((id, candidate) -> {
            ApiKeyRow row = stored.get(id);
            if (row == null) {
                tally.imported++;
            } else {
                compare(candidate, row, tally);
            }
        });
    }

    private void write(List<KeyImport> batch, ImportTally tally) {
        ImportTally before = tally.copy();
        operations.audited(OPERATION, () -> {
            Map<String, Candidate> candidates = candidates(batch, tally);
            Map<String, ApiKeyRow> stored = operations.inGuardedTransaction(() -> {
                store.insertAll(candidates.values().stream().map(Candidate::row).toList());
                return stored(candidates);
            });
            candidates.forEach((id, candidate) -> compareWritten(candidate, stored.get(id), tally));
            return new Result<>(true, null, facts(before, tally));
        });
    }

    /** A MAC depends on the random nonces of the cells: the row that has it is the one that was just written. */
    private void compareWritten(Candidate candidate, @Nullable ApiKeyRow stored, ImportTally tally) {
        if (stored == null) { // a concurrent purge
            tally.refuse(candidate.position, "The key was removed concurrently; repeat the import");
        } else if (stored.equalsButLastUse(candidate.row)) {
            tally.imported++;
        } else {
            compare(candidate, stored, tally);
        }
    }

    private void compare(Candidate candidate, ApiKeyRow stored, ImportTally tally) {
        if (isSame(candidate, stored)) {
            tally.present++;
        } else {
            tally.refuse(
                    candidate.position,
                    "API key " + stored.id() + " has the same look-up id or hash, but another owner or hash, or its row"
                            + " cannot be read");
        }
    }

    /** Whether a row is that of an earlier import, even if its secret was rehashed or rotated since. */
    private boolean isSame(Candidate candidate, ApiKeyRow stored) {
        if (protection.authenticity(stored) != Authenticity.AUTHENTIC) {
            return false;
        }
        try {
            KeyContents contents = protection.contents(stored);
            String hash = stored.secrets().primary();
            return contents.details().imported()
                    && contents.ownerId().equals(candidate.key.key().ownerId())
                    && (!ImportedHashes.owns(hash)
                            || hash.equals(candidate.row.secrets().primary()));
        } catch (SealException e) {
            return false;
        }
    }

    /** Returns the rows to write, by id. Refuses a key that is in the batch twice with different owners or hashes. */
    private Map<String, Candidate> candidates(List<KeyImport> batch, ImportTally tally) {
        Map<String, Candidate> candidates = new LinkedHashMap<>();
        Instant now = Instant.ofEpochMilli(clock.millis());
        String creator = KeyRules.creator(actor.get());
        for (KeyImport key : batch) {
            tally.examined++;
            requireRecognized(key);
            KeyRules.requireKnown(key.key().scopes(), options);
            Candidate candidate = new Candidate(tally.examined, key, row(key, creator, now));
            Candidate first = candidates.putIfAbsent(candidate.row.id(), candidate);
            if (first == null) {
                continue;
            }
            if (first.key.key().ownerId().equals(key.key().ownerId())
                    && first.key.hash().text().equals(key.hash().text())) {
                tally.present++;
            } else {
                tally.refuse(
                        candidate.position,
                        "Key " + first.position + " of this import has the same look-up id or hash, but another owner"
                                + " or hash");
            }
        }
        return candidates;
    }

    private void requireRecognized(KeyImport key) {
        if (!tokens.recognize(key)) {
            String by = key.lookupId() == null
                    ? "lookup-hash: " + key.hash().algorithm().text()
                    : "a group 'id' in its pattern";
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "No token could ever be verified with a key of this import: configure its form in"
                            + " credential.api-keys.registries." + options.namespace() + ".imported-tokens, with " + by
                            + (key.hash().algorithm().isPeppered() ? " and a pepper" : ""));
        }
    }

    private ApiKeyRow row(KeyImport imported, @Nullable String creator, Instant now) {
        String hash = imported.hash().text();
        String id = ForeignKeyId.of(options.namespace(), imported.lookupId(), hash);
        Instant createdAt = imported.createdAt() == null ? now : imported.createdAt();
        Identity identity = new Identity(options.namespace(), id, options.prefix(), createdAt.toEpochMilli());
        KeyContents contents = KeyContents.ofImported(imported.key(), creator);
        String ownerIdHash = protection.ownerIdHash(options.namespace(), contents.ownerId());
        return protection.authenticated(new ApiKeyRow(
                identity,
                protection.seal(identity, ownerIdHash, contents),
                new Secrets(hash, null, null),
                new State(
                        KeyContents.millis(imported.key().expiresAt()),
                        KeyContents.millis(imported.disabledAt()),
                        null,
                        FIRST_VERSION),
                KeyContents.millis(imported.lastUsedAt()),
                null));
    }

    private Map<String, ApiKeyRow> stored(Map<String, Candidate> candidates) {
        return store.findAll(candidates.keySet()).stream()
                .collect(Collectors.toMap(ApiKeyRow::id, Function.identity()));
    }

    private Map<String, Object> facts(ImportTally before, ImportTally after) {
        return Map.of(
                "namespace",
                options.namespace(),
                "imported",
                after.imported - before.imported,
                "present",
                after.present - before.present,
                "refused",
                after.refused - before.refused);
    }

    private record Candidate(long position, KeyImport key, ApiKeyRow row) {}

    /** Counts what happens to the keys of one import. */
    private static final class ImportTally {

        private final List<Refusal> refusals = new ArrayList<>();
        private long examined;
        private long imported;
        private long present;
        private long refused;

        ImportTally copy() {
            ImportTally copy = new ImportTally();
            copy.imported = imported;
            copy.present = present;
            copy.refused = refused;
            return copy;
        }

        void refuse(long position, String reason) {
            refused++;
            if (refusals.size() < ImportResult.MAX_REFUSALS) {
                refusals.add(new Refusal(position, reason));
            }
        }

        ImportResult result() {
            return new ImportResult(examined, imported, present, refused, refusals);
        }
    }
}
