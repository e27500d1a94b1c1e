package io.credential.webhook.delivery.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.credential.seal.Keyring;
import io.credential.seal.SealException;
import io.credential.seal.Sealer;
import io.credential.seal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.queue.RequestHeaders;

/**
 * Seals the secret and the headers of an endpoint to its id, URL and audience, and opens them again. Both are always sealed
 * together, under the active key.
 *
 * @since 0.1.0
 */
public final class EndpointSecrets {

    private final Sealer sealer;
    private final boolean migrationWindow;

    /** @param migrationWindow whether cells of the plain form are read */
    public EndpointSecrets(Keyring keyring, SecureRandom random, boolean migrationWindow) {
        this.sealer = new Sealer(keyring, random);
        this.migrationWindow = migrationWindow;
    }

    boolean isMigrationWindowOpen() {
        return migrationWindow;
    }

    String seal(SecretBinding binding, SecretBytes secret) {
        return secret.use(bytes -> sealer.seal(binding.secret(), bytes));
    }

    /**
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    SecretBytes open(SecretBinding binding, String cell) {
        return SecretBytes.copyAndWipe(
                migrationWindow
                        ? sealer.openPlainOrBound(binding.secret(), cell)
                        : sealer.open(binding.secret(), cell));
    }

    /** Returns the sealed headers; null if the map is empty. */
    @Nullable String sealHeaders(SecretBinding binding, Map<String, SecretBytes> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        headers.forEach((name, value) -> texts.put(name, value.use(EndpointSecrets::text)));
        byte[] bytes = RequestHeaders.toText(texts).getBytes(StandardCharsets.US_ASCII);
        try {
            return sealer.seal(binding.headers(), bytes);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Returns the headers, or none for null.
     *
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    Map<String, SecretBytes> openHeaders(SecretBinding binding, @Nullable String cell) {
        Map<String, SecretBytes> headers = new LinkedHashMap<>();
        if (cell != null) {
            byte[] bytes = sealer.open(binding.headers(), cell);
            try {
                RequestHeaders.ofText(text(bytes))
                        .forEach((name, value) ->
                                headers.put(name, SecretBytes.copyAndWipe(value.getBytes(StandardCharsets.US_ASCII))));
            } finally {
                Arrays.fill(bytes, (byte) 0);
            }
        }
        return headers;
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Returns whether a cell is bound to its row and sealed under the active key. */
    boolean isCurrent(String cell) {
        return sealer.isCurrent(cell);
    }
}
