package io.credential.webhook.delivery.internal.endpoint;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.SealException;
import io.credential.seal.internal.Sealer;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.secret.SecretBytes;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.queue.HeaderText;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.signature.internal.StandardWebhooksSigner;

/** Seals the secrets and the headers of an endpoint to its id, URL and audience, and opens them again. */
public final class EndpointSecrets {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointSecrets.class);

    private static final int GENERATED_BYTES = 32;
    private static final int STRONG_SECRET_BYTES = 16;

    private final Sealer sealer;
    private final SecureRandom random;
    private final boolean migrationWindow;

    /** @param migrationWindow whether cells of the plain form are read */
    public EndpointSecrets(Keyring keyring, SecureRandom random, boolean migrationWindow) {
        this.sealer = new Sealer(keyring, random);
        this.random = random;
        this.migrationWindow = migrationWindow;
    }

    boolean isMigrationWindowOpen() {
        return migrationWindow;
    }

    /** Returns a new secret of 256 bits, as text. */
    String generate(SignatureScheme scheme) {
        return generate(scheme, null);
    }

    /**
     * Returns a new secret of 256 bits, as text, of the same kind as the current one.
     *
     * @throws SealException if the current one does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    String generate(SecretBinding binding, SecretCells cells) {
        if (cells.scheme() != SignatureScheme.STANDARD_WEBHOOKS) {
            return generate(cells.scheme());
        }
        try (SecretBytes current = open(binding, cells)) {
            return generate(cells.scheme(), current);
        }
    }

    private String generate(SignatureScheme scheme, @Nullable SecretBytes like) {
        byte[] bytes = new byte[GENERATED_BYTES];
        random.nextBytes(bytes);
        try {
            return switch (scheme) {
                case CREDENTIAL, GITHUB -> HexFormat.of().formatHex(bytes);
                case STRIPE -> "whsec_" + HexFormat.of().formatHex(bytes);
                case STANDARD_WEBHOOKS -> StandardWebhooksSigner.generate(bytes, like);
            };
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /** Returns the bytes of the text of a secret. */
    static SecretBytes bytes(String secret) {
        return SecretBytes.copyAndWipe(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** Seals the first secret of an endpoint. */
    SecretCells seal(
            SecretBinding binding, SignatureScheme scheme, @Nullable String signatureHeader, SecretBytes secret) {
        return seal(binding, SecretCells.of(scheme, signatureHeader, ""), secret, null);
    }

    /**
     * Seals the secret that follows the current one. The current one becomes the previous one; an earlier one is dropped.
     *
     * @param until when the previous one no longer signs, in Unix milliseconds; 0 to drop it
     * @throws SealException if the current one does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    SecretCells rotate(SecretBinding binding, SecretCells cells, SecretBytes secret, long until) {
        // Opened even if it is dropped: nothing else shows that the URL is the one that was registered.
        try (SecretBytes previous = open(binding, cells)) {
            SecretCells next = new SecretCells(
                    cells.scheme(), cells.signatureHeader(), "", cells.number() + 1, until == 0 ? null : "", until);
            return seal(binding, next, secret, previous);
        }
    }

    /**
     * Seals the same secrets again, under the active key.
     *
     * @param from what the cells are bound to
     * @param to what they are bound to afterwards, besides the header
     * @param signatureHeader the header that carries their signatures afterwards
     * @throws SealException if one does not open
     * @throws UnknownSealKeyException if the keyring lacks a key
     */
    SecretCells reseal(SecretBinding from, SecretBinding to, SecretCells cells, @Nullable String signatureHeader) {
        try (SecretBytes secret = open(from, cells);
                SecretBytes previous = openPrevious(from, cells)) {
            return seal(to, cells.with(signatureHeader), secret, previous);
        }
    }

    /**
     * @param cells the scheme, whether there is a previous one, the number, and the end of the overlap
     * @param previous null for none
     */
    private SecretCells seal(
            SecretBinding binding, SecretCells cells, SecretBytes secret, @Nullable SecretBytes previous) {
        return new SecretCells(
                cells.scheme(),
                cells.signatureHeader(),
                secret.use(bytes -> sealer.seal(binding.secret(cells), bytes)),
                cells.number(),
                cells.previous() == null || previous == null
                        ? null
                        : previous.use(bytes -> sealer.seal(binding.previousSecret(cells), bytes)),
                cells.previousUntil());
    }

    /**
     * Opens the current secret.
     *
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    SecretBytes open(SecretBinding binding, SecretCells cells) {
        return SecretBytes.copyAndWipe(
                migrationWindow
                        ? sealer.openPlainOrBound(binding.secret(cells), cells.current())
                        : sealer.open(binding.secret(cells), cells.current()));
    }

    /**
     * Opens the previous secret; returns null if there is none.
     *
     * @throws SealException if the cell does not open
     * @throws UnknownSealKeyException if the keyring lacks its key
     */
    @Nullable SecretBytes openPrevious(SecretBinding binding, SecretCells cells) {
        String cell = cells.previous();
        return cell == null ? null : SecretBytes.copyAndWipe(sealer.open(binding.previousSecret(cells), cell));
    }

    /**
     * Returns the public key of the current secret; null if it has none, or does not open. It is not stored: whoever can write
     * to the database could replace it.
     */
    @Nullable String publicKey(SecretBinding binding, SecretCells cells) {
        if (cells.scheme() != SignatureScheme.STANDARD_WEBHOOKS) {
            return null;
        }
        try (SecretBytes secret = open(binding, cells)) {
            return StandardWebhooksSigner.publicKey(secret);
        } catch (SealException | UnknownSealKeyException e) {
            LOG.debug("Could not open the secret of endpoint {}", binding.endpointId(), e);
            return null;
        }
    }

    /** Returns the key id under which the current secret signs. */
    static String kid(SecretCells cells) {
        return kid(cells.number());
    }

    /** Returns the key id under which the previous secret signed, and still signs. */
    static String previousKid(SecretCells cells) {
        return kid(cells.number() - 1);
    }

    private static String kid(int number) {
        return "v" + number;
    }

    /** Returns the sealed headers; null if the map is empty. */
    @Nullable String sealHeaders(SecretBinding binding, Map<String, SecretBytes> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        Map<String, String> texts = new LinkedHashMap<>();
        headers.forEach((name, value) -> texts.put(name, value.use(EndpointSecrets::text)));
        byte[] bytes = HeaderText.toText(texts).getBytes(StandardCharsets.US_ASCII);
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
                HeaderText.ofText(text(bytes))
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

    /** Returns whether the cells are bound to their row and sealed under the active key. */
    boolean areCurrent(SecretCells secrets, @Nullable String headersCell) {
        return Stream.of(secrets.current(), secrets.previous(), headersCell)
                .filter(Objects::nonNull)
                .allMatch(sealer::isCurrent);
    }

    static void warnIfWeak(String endpointId, SecretBytes secret) {
        if (secret.length() < STRONG_SECRET_BYTES) {
            LOG.warn(
                    "The secret of endpoint {} has fewer than {} bytes and may be guessed; register it with a longer one",
                    endpointId,
                    STRONG_SECRET_BYTES);
        }
    }

    /**
     * Returns what an opening of cells returns.
     *
     * @param where which cell of which endpoint
     * @throws WebhookDispatcherException {@code webhook-dispatcher/unreadable-secret} if it fails
     */
    static <T extends @Nullable Object> T readable(String where, Supplier<T> opening) {
        try {
            return opening.get();
        } catch (SealException e) {
            throw unreadable(where + " does not open: register the endpoint again", e);
        } catch (UnknownSealKeyException e) {
            throw unreadable(where + " is sealed under a key that the keyring lacks: add it to the keyring", e);
        }
    }

    private static WebhookDispatcherException unreadable(String message, Throwable cause) {
        return new WebhookDispatcherException(WebhookDispatcherErrorCode.UNREADABLE_SECRET, message, cause);
    }
}
