package io.credential.apikey;

import io.credential.apikey.ApiKeyVerifier.Slot;
import io.credential.apikey.RowProtection.Authenticity;

/** Determines which hash of a row a presented secret matches. Thread-safe. */
final class SecretMatcher {

    private final RememberedHashes hashes;
    private final RowProtection protection;
    private final ApiKeyRow decoy;

    /** @param decoy an authentic row that no token matches, used if the row does not exist */
    SecretMatcher(RememberedHashes hashes, RowProtection protection, ApiKeyRow decoy) {
        this.hashes = hashes;
        this.protection = protection;
        this.decoy = decoy;
    }

    ApiKeyRow decoy() {
        return decoy;
    }

    /** A secret that matches nothing costs two hashes, whether or not there is a row. */
    Slot slot(ApiKeyRow row, byte[] input) {
        if (matches(input, row.secrets().primary(), row)) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        return matches(input, secondary == null ? decoy.secrets().primary() : secondary, row)
                ? Slot.SECONDARY
                : Slot.NONE;
    }

    /** Computes as few hashes as possible. */
    Slot slotOfSuspect(ApiKeyRow row, byte[] input) {
        if (hashes.matchesSuspect(row.id(), input, row.secrets().primary(), () -> isAuthentic(row))) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        return secondary != null && hashes.matchesSuspect(row.id(), input, secondary, () -> isAuthentic(row))
                ? Slot.SECONDARY
                : Slot.NONE;
    }

    /** Timing must not reveal that a hash was made with an earlier, cheaper algorithm. */
    private boolean matches(byte[] input, String storedHash, ApiKeyRow row) {
        boolean matched = hashes.matches(input, storedHash, () -> isAuthentic(row));
        if (!matched && hashes.needsRehash(storedHash)) {
            return hashes.matches(input, decoy.secrets().primary(), () -> false);
        }
        return matched;
    }

    /** @throws ApiKeyException {@code api-key/unavailable} if the keyring lacks the key to tell */
    private boolean isAuthentic(ApiKeyRow row) {
        Authenticity authenticity = protection.authenticity(row);
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(row.id());
        }
        return authenticity == Authenticity.AUTHENTIC;
    }
}
