package io.credential.apikey.internal;

import java.util.function.Supplier;

import org.springframework.util.function.SingletonSupplier;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.apikey.internal.foreign.PresentedSecret;

/** Determines which hash of a row a presented secret matches. Thread-safe. */
final class SecretMatcher {

    private final RememberedHashes hashes;
    private final RowProtection protection;
    private final SecretRehasher rehasher;
    private final SingletonSupplier<ApiKeyRow> decoy;

    /** @param decoy makes an authentic row that no token matches, used if the row does not exist; called once, when first needed */
    SecretMatcher(
            RememberedHashes hashes, RowProtection protection, SecretRehasher rehasher, Supplier<ApiKeyRow> decoy) {
        this.hashes = hashes;
        this.protection = protection;
        this.rehasher = rehasher;
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
    Slot slot(ApiKeyRow row, PresentedSecret secret, boolean completely) {
        if (matches(row, row.secrets().primary(), secret, completely)) {
            return Slot.PRIMARY;
        }
        String secondary = row.secrets().secondary();
        String old = secondary == null ? decoy().secrets().primary() : secondary;
        return matches(row, old, secret, completely) ? Slot.SECONDARY : Slot.NONE;
    }

    private boolean matches(ApiKeyRow row, String storedHash, PresentedSecret secret, boolean completely) {
        byte[] hashed = secret.hashedBy(storedHash);
        if (hashed == null) { // takes as long as a comparison, whose result counts for nothing
            var unused = hashes.mayMatch(secret.input(), decoy().secrets().primary());
            return false;
        }
        return completely
                ? hashes.matches(hashed, storedHash, () -> isAuthentic(row))
                : hashes.mayMatch(hashed, storedHash);
    }

    /** Has a secret that was just found hashed again, if its hash is not as this registry would compute it. */
    void rehash(ApiKeyRow row, Slot slot, PresentedSecret secret) {
        rehasher.offer(row, slot, secret.input());
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
