package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.ImportResult;
import io.credential.apikey.KeyImport;
import io.credential.apikey.internal.ApiKeyRow.Identity;
import io.credential.apikey.internal.ApiKeyRow.Secrets;
import io.credential.apikey.internal.ApiKeyRow.State;
import io.credential.apikey.internal.KeyLedger.NewKey;
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
    /** So that the audit event of a batch can name its keys. */
    private static final int BATCH = 200;

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
        Map<String, ApiKeyRow> stored = stored(candidates.keySet());
        candidates.forEach((id, candidate) -> {
            ApiKeyRow row = stored.get(id);
            if (row == null) {
                tally.importable();
            } else {
                compare(candidate, row, tally);
            }
        });
    }

    private void write(List<KeyImport> batch, ImportTally tally) {
        ImportResult before = tally.result();
        operations.audited(OPERATION, () -> {
            Map<String, Candidate> candidates = candidates(batch, tally);
            Map<String, NewKey> rows = rows(candidates);
            Map<String, ApiKeyRow> stored =
                    operations.inGuardedTransaction(() -> store.insertAll(List.copyOf(rows.values())));
            candidates.forEach((id, candidate) -> {
                ApiKeyRow row = stored.get(id);
                // A MAC depends on random nonces: the row that has it is the one that was just written.
                if (row == null) {
                    tally.refuse(candidate.position, "The key was removed concurrently; repeat the import");
                } else if (row.equalsButLastUse(
                        Objects.requireNonNull(rows.get(id)).row())) {
                    tally.imported(id);
                } else {
                    compare(candidate, row, tally);
                }
            });
            return new Result<>(true, null, facts(before, tally));
        });
    }

    private void compare(Candidate candidate, ApiKeyRow stored, ImportTally tally) {
        if (isSame(candidate, stored)) {
            tally.present();
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
                            || hash.equals(candidate.key.hash().text()));
        } catch (SealException e) {
            return false;
        }
    }

    /** Returns the keys by their ids. Refuses one that is in the batch twice with different owners or hashes. */
    private Map<String, Candidate> candidates(List<KeyImport> batch, ImportTally tally) {
        Map<String, Candidate> candidates = new LinkedHashMap<>();
        Instant now = clock.instant();
        for (KeyImport key : batch) {
            Candidate candidate = new Candidate(tally.next(), key);
            requireUsable(candidate, now);
            String id = ForeignKeyId.of(
                    options.namespace(), key.lookupId(), key.hash().text());
            Candidate first = candidates.putIfAbsent(id, candidate);
            if (first != null && areSame(first.key, key)) {
                tally.present();
            } else if (first != null) {
                tally.refuse(
                        candidate.position,
                        "Key " + first.position + " of this import has the same look-up id or hash, but another owner"
                                + " or hash");
            }
        }
        return candidates;
    }

    private void requireUsable(Candidate candidate, Instant now) {
        try {
            requireRecognized(candidate.key);
            KeyRules.requireKnown(candidate.key.key().scopes(), options);
            KeyRules.requirePermitted(candidate.key.key().expiresAt(), now, options);
        } catch (ApiKeyException e) {
            throw new ApiKeyException(e.errorCode(), "Key " + candidate.position + ": " + e.getMessage(), e);
        }
    }

    private void requireRecognized(KeyImport key) {
        if (!tokens.recognize(key)) {
            String by = key.lookupId() == null
                    ? "lookup-hash: " + key.hash().algorithm().text()
                    : "a group 'id' in its pattern";
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "No token could ever be verified with this key: configure its form in"
                            + " credential.api-keys.registries." + options.namespace() + ".imported-tokens, with " + by
                            + (key.hash().algorithm().isPeppered() ? " and a pepper" : ""));
        }
    }

    /** In the order of their ids, so that two imports never deadlock. */
    private Map<String, NewKey> rows(Map<String, Candidate> candidates) {
        Map<String, NewKey> rows = new TreeMap<>();
        Instant now = clock.instant();
        String creator = KeyRules.creator(actor.get());
        candidates.forEach((id, candidate) -> rows.put(id, row(id, candidate.key, creator, now)));
        return rows;
    }

    private NewKey row(String id, KeyImport imported, @Nullable String creator, Instant now) {
        Instant createdAt = imported.createdAt() == null ? now : imported.createdAt();
        Identity identity = new Identity(options.namespace(), id, options.prefix(), createdAt.toEpochMilli());
        KeyContents contents = KeyContents.ofImported(imported.key(), creator);
        if (options.disableAfterIdle() != null) { // it may have been issued long ago
            contents = contents.withActiveSince(now.toEpochMilli());
        }
        String ownerIdHash = protection.ownerIdHash(options.namespace(), contents.ownerId());
        ApiKeyRow row = protection.authenticated(new ApiKeyRow(
                identity,
                protection.seal(identity, ownerIdHash, contents),
                new Secrets(imported.hash().text(), null, null),
                new State(
                        KeyContents.millis(imported.key().expiresAt()),
                        KeyContents.millis(imported.disabledAt()),
                        null,
                        FIRST_VERSION),
                KeyContents.millis(imported.lastUsedAt()),
                null));
        return new NewKey(row, contents);
    }

    private Map<String, ApiKeyRow> stored(Set<String> ids) {
        return store.findAll(ids).stream().collect(Collectors.toMap(ApiKeyRow::id, Function.identity()));
    }

    private Map<String, Object> facts(ImportResult before, ImportTally tally) {
        ImportResult after = tally.result();
        return Map.of(
                "namespace",
                options.namespace(),
                "imported",
                after.imported() - before.imported(),
                "ids",
                tally.takeIds(),
                "present",
                after.present() - before.present(),
                "refused",
                after.refused() - before.refused());
    }

    private static boolean areSame(KeyImport one, KeyImport other) {
        return one.key().ownerId().equals(other.key().ownerId())
                && one.hash().text().equals(other.hash().text());
    }

    private record Candidate(long position, KeyImport key) {}
}
