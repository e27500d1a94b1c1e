package io.credential.apikey;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.RowProtection.Authenticity;
import io.credential.seal.SealException;

/**
 * Decides whose key a token is. Reads one row; whether it exists or not, the same hash, comparison and MAC are computed
 * before anything else is looked at, and a secret that does not match learns nothing about the key.
 */
final class ApiKeyVerifier {

    static final String OPERATION = "apikey.verify";

    private final RegistryParts parts;
    private final ApiKeyRow decoy;
    private final SecretRehasher rehasher;

    /**
     * @param decoy an authentic row of no key, which stands in for a row that does not exist
     */
    ApiKeyVerifier(RegistryParts parts, ApiKeyRow decoy, SecretRehasher rehasher) {
        this.parts = parts;
        this.decoy = decoy;
        this.rehasher = rehasher;
    }

    Optional<ApiKey> verify(@Nullable String text) {
        Optional<ApiKeyToken> token = ApiKeyToken.parse(text).filter(ApiKeyToken::isLowerCase);
        if (token.isEmpty()) {
            return rejected("malformed", null);
        }
        return verify(token.get());
    }

    private Optional<ApiKey> verify(ApiKeyToken token) {
        if (!token.namespace().equals(parts.namespace())
                || !token.prefix().equals(parts.options().prefix())) {
            return rejected("foreign-namespace", null);
        }
        if (!ApiKeyRegistryOptions.canBeIssued(token)) {
            return rejected("malformed", null);
        }
        try {
            return Operations.decidable(() -> compared(token));
        } catch (ApiKeyException e) {
            parts.audit().rejection(OPERATION, "unavailable", null, Map.of());
            throw e;
        }
    }

    private Optional<ApiKey> compared(ApiKeyToken token) {
        Optional<ApiKeyRow> found = parts.store().find(token.idHex());
        ApiKeyRow row = found.orElse(decoy);
        byte[] input = token.hashInput();
        Slot slot = matchingSlot(row, input);
        Authenticity authenticity = parts.protection().authenticity(row);
        if (found.isEmpty()) {
            return rejected("unknown", null);
        }
        if (authenticity == Authenticity.FORGED) {
            return rejected("integrity", row.id());
        }
        if (slot == Slot.NONE) {
            return rejected("bad-secret", row.id());
        }
        return accepted(row, slot, authenticity, input);
    }

    private Optional<ApiKey> accepted(ApiKeyRow row, Slot slot, Authenticity authenticity, byte[] input) {
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(row.id());
        }
        Instant now = parts.clock().instant();
        if (row.isRevoked()) {
            return rejected("revoked", row.id());
        }
        if (row.isDisabled()) {
            return rejected("disabled", row.id());
        }
        if (row.isExpiredAt(now.toEpochMilli())) {
            return rejected("expired", row.id());
        }
        if (slot == Slot.SECONDARY && !row.acceptsSecondaryAt(now.toEpochMilli())) {
            return rejected("secondary-expired", row.id());
        }
        ApiKey key;
        try {
            key = parts.protection().contents(row).key(row, lastUsedAt(row, now), slot == Slot.SECONDARY);
        } catch (SealException e) {
            return rejected("integrity", row.id());
        }
        if (parts.options().trackLastUsed()) {
            parts.lastUses().used(row.namespace(), row.id(), now.toEpochMilli(), row.lastUsedAt() == null);
        }
        rehasher.offer(row, slot, input);
        parts.audit()
                .success(OPERATION, row.id(), Map.of("usedSecondary", slot == Slot.SECONDARY))
                .run();
        return Optional.of(key);
    }

    /** A secret that matches nothing costs two hashes, whether or not there is a row. */
    private Slot matchingSlot(ApiKeyRow row, byte[] input) {
        if (matches(input, row.secrets().primary())) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        return matches(input, secondary == null ? decoy.secrets().primary() : secondary) ? Slot.SECONDARY : Slot.NONE;
    }

    /** A hash of an earlier, cheaper algorithm must not be told by its time. */
    private boolean matches(byte[] input, String storedHash) {
        boolean matched = parts.hasher().matches(input, storedHash);
        if (!matched && parts.hasher().needsRehash(storedHash)) {
            return parts.hasher().matches(input, decoy.secrets().primary());
        }
        return matched;
    }

    private @Nullable Instant lastUsedAt(ApiKeyRow row, Instant now) {
        return parts.options().trackLastUsed()
                ? Instant.ofEpochMilli(now.toEpochMilli())
                : KeyContents.instant(parts.lastUses().latest(row));
    }

    private Optional<ApiKey> rejected(String reason, @Nullable String id) {
        parts.audit().rejection(OPERATION, reason, id, Map.of());
        return Optional.empty();
    }

    /** Where the hash of a presented secret was found. */
    enum Slot {
        PRIMARY,
        SECONDARY,
        NONE
    }
}
