package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/**
 * The sealed columns of a row as they are stored.
 *
 * @param details name and creator in one cell; null for a key that has neither
 */
record SealedCells(
        String ownerId,
        String scopes,
        String metadata,
        @Nullable String details) {

    @Override
    public String toString() {
        return "SealedCells[]";
    }
}
