package io.credential.apikey.internal;

import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.util.function.SingletonSupplier;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.RowProtection.Authenticity;

/** Determines which hash of a row a presented secret matches. Thread-safe. */
final class SecretMatcher {

    private final RememberedHashes hashes;
    private final RowProtection protection;
    private final SingletonSupplier<ApiKeyRow> decoy;

    /** @param decoy makes an authentic row that no token matches, used if the row does not exist; called once, when first needed */
    SecretMatcher(RememberedHashes hashes, RowProtection protection, Supplier<ApiKeyRow> decoy) {
        this.hashes = hashes;
        this.protection = protection;
        this.decoy = SingletonSupplier.of(decoy);
    }

    ApiKeyRow decoy() {
        return decoy.obtain();
    }

    /**
     * Returns where the hash of a secret is. A secret that matches nothing costs two fast hashes, whether or not the row exists.
     *
     * @param completely whether costly hashes are computed; otherwise, the secret only passes the fast check of the slot
     * @throws ApiKeyException {@code api-key/unavailable} if the keyring lacks the key to tell
     */
    Slot slot(ApiKeyRow row, byte[] input, boolean completely) {
        Predicate<String> matches = completely
                ? storedHash -> hashes.matches(input, storedHash, () -> isAuthentic(row))
                : storedHash -> hashes.mayMatch(input, storedHash);
        if (matches.test(row.secrets().primary())) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        return matches.test(secondary == null ? decoy().secrets().primary() : secondary) ? Slot.SECONDARY : Slot.NONE;
    }

    private boolean isAuthentic(ApiKeyRow row) {
        Authenticity authenticity = protection.authenticity(row);
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(row.id());
        }
        return authenticity == Authenticity.AUTHENTIC;
    }

    /** Where the hash of a presented secret was found. */
    enum Slot {
        PRIMARY,
        SECONDARY,
        NONE
    }
}
