package io.credential.apikey;

import java.util.function.Predicate;

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

    Slot slot(ApiKeyRow row, byte[] input) {
        return slot(row, storedHash -> hashes.matches(input, storedHash, () -> isAuthentic(row)));
    }

    /** Returns the slot whose fast check the secret passes. Computes no costly hash. */
    Slot likelySlot(ApiKeyRow row, byte[] input) {
        return slot(row, storedHash -> hashes.mayMatch(input, storedHash));
    }

    /** A secret that matches nothing costs two fast hashes, whether or not the row exists. */
    private Slot slot(ApiKeyRow row, Predicate<String> matches) {
        if (matches.test(row.secrets().primary())) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        return matches.test(secondary == null ? decoy.secrets().primary() : secondary) ? Slot.SECONDARY : Slot.NONE;
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
