package io.credential.webhook.delivery.internal.queue;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.delivery.SignatureScheme;

/**
 * The sealed secrets of an endpoint, as they were stored when they were read.
 *
 * @param scheme how they sign
 * @param signatureHeader the header that carries their signatures; null if the scheme has fixed names
 * @param current the sealed secret
 * @param number the number of the secret: 1 for a registered one, and one more after each rotation
 * @param previous the sealed secret before the last rotation; null for none
 * @param previousUntil when the previous secret no longer signs, in Unix milliseconds; 0 for none
 */
public record SecretCells(
        SignatureScheme scheme,
        @Nullable String signatureHeader,
        String current,
        int number,
        @Nullable String previous,
        long previousUntil) {

    /** The columns of the endpoint {@code e} that {@link #read} needs. */
    public static final String COLUMNS =
            "e.scheme, e.signature_header, e.secret, e.secret_number, e.previous_secret, e.previous_until";

    /** Returns the cells of an endpoint whose secret was not rotated. */
    public static SecretCells of(SignatureScheme scheme, @Nullable String signatureHeader, String current) {
        return new SecretCells(scheme, signatureHeader, current, 1, null, 0);
    }

    /** @throws SQLException if a column is missing */
    public static SecretCells read(ResultSet row) throws SQLException {
        return new SecretCells(
                SignatureScheme.ofText(row.getString("scheme")).orElseThrow(),
                row.getString("signature_header"),
                row.getString("secret"),
                row.getInt("secret_number"),
                row.getString("previous_secret"),
                row.getLong("previous_until"));
    }

    /** Returns these cells without a previous secret that no longer signs at this time, in Unix milliseconds. */
    public SecretCells at(long unixMillis) {
        return unixMillis < previousUntil ? this : new SecretCells(scheme, signatureHeader, current, number, null, 0);
    }

    /** Returns these cells with another header. */
    public SecretCells with(@Nullable String signatureHeader) {
        return new SecretCells(scheme, signatureHeader, current, number, previous, previousUntil);
    }

    /** Without the cells. */
    @Override
    public String toString() {
        return "SecretCells[" + number + "]";
    }
}
