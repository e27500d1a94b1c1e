package io.credential.webhook.signature;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.key.internal.HmacSha3Key;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;
import io.credential.webhook.signature.key.internal.VerifyingKey;

/**
 * Verifies incoming bodies. It accepts what the holder of one of its keys signed within the time window. With a nonce
 * store, it accepts each request once; without one, the same request is accepted again until it expires. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookVerifier implements AutoCloseable {

    /** The default tolerance: how old a signature may be. */
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** The default clock skew: how far in the future a signature's time may be. */
    public static final Duration DEFAULT_CLOCK_SKEW = Duration.ofMinutes(1);

    private final String name;
    private final SignatureAlgorithm algorithm;
    private final Map<String, VerifyingKey> keys;
    private final TimeWindow window;
    private final String signatureHeader;
    private final ReplayGuard replays;
    private final @Nullable String sender;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final ObservationRegistry observations;

    private WebhookVerifier(Builder builder) {
        this.name = builder.nameOrDefault();
        this.algorithm = SignatureAlgorithm.of(builder.algorithm);
        this.keys = builder.verifyingKeys(algorithm);
        this.window = new TimeWindow(builder.tolerance, builder.clockSkew);
        this.signatureHeader = builder.requireSignatureHeader();
        this.replays = new ReplayGuard(name, window, builder.nonceStore);
        this.sender = builder.name;
        this.clock = builder.clock;
        this.audit = builder.auditTrail();
        this.observations = builder.observations;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Verifies a body against the signature header of its request.
     *
     * @param body the bytes as they were received
     * @param headers all lines of each header by its name; names are compared without regard to case
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    public VerifiedWebhook verify(byte @Nullable [] body, @Nullable Map<String, List<String>> headers)
            throws WebhookException {
        return presented(headers, false).verify(body);
    }

    /**
     * Makes every check that does not need the body: header, time window and kid. A caller can then read the body only
     * if these pass.
     *
     * @param headers all lines of each header by its name; names are compared without regard to case
     * @throws WebhookException with the code of the first check that failed
     */
    public PresentedSignature<VerifiedWebhook> examine(@Nullable Map<String, List<String>> headers)
            throws WebhookException {
        return presented(headers, true);
    }

    private PresentedSignature<VerifiedWebhook> presented(
            @Nullable Map<String, List<String>> headers, boolean bodyFollows) {
        Verification verification = new Verification(name, algorithm.text(), audit, observations);
        return verification.examine(
                () -> {
                    String line = SignatureHeader.find(headers, signatureHeader);
                    SignatureHeader header = SignatureHeader.parse(line, algorithm.maxHeaderLength());
                    verification.presents(header.id());
                    window.check(header.timestamp(), clock.instant());
                    requireKnownKid(header);
                    return (body, checked) -> complete(header, body, bodyFollows, checked);
                },
                verified -> verification.succeeded(
                        verified.id(),
                        () -> Map.of(
                                "verifier", name,
                                "algorithm", algorithm.text(),
                                "kid", verified.kid(),
                                "timestamp", verified.timestamp())));
    }

    /**
     * Returns the length in bytes of the longest signature of these keys. In a header, it takes at most twice as many
     * characters, which the server must accept.
     */
    public int signatureBytes() {
        return keys.values().stream()
                .mapToInt(VerifyingKey::signatureBytes)
                .max()
                .orElseThrow();
    }

    /** Returns the identity of each key by kid, which tells whether other verifiers have the same ones. */
    public Map<String, KeyIdentity> keyIdentities() {
        Map<String, KeyIdentity> identities = new LinkedHashMap<>();
        keys.forEach((kid, key) -> identities.put(kid, key.identity()));
        return identities;
    }

    private void requireKnownKid(SignatureHeader header) {
        for (String kid : header.signatures().keySet()) {
            if (keys.containsKey(kid)) {
                return;
            }
        }
        throw new WebhookException(
                WebhookErrorCode.UNKNOWN_KID, "The signature header has no kid that is configured here");
    }

    private VerifiedWebhook complete(
            SignatureHeader header, byte @Nullable [] body, boolean bodyFollows, Runnable signatureChecked) {
        byte[] present = WebhookOptions.requiredBody(body);
        if (bodyFollows) {
            // Again: a body that arrives slowly must not outlive the nonce of an earlier delivery.
            window.check(header.timestamp(), clock.instant());
        }
        String kid;
        try {
            kid = matchingKid(header, present);
        } finally {
            signatureChecked.run();
        }
        replays.record(header.timestamp(), WebhookErrorCode.EXPIRED, header.id());
        return new VerifiedWebhook(algorithm.text(), kid, header.timestamp(), header.id(), sender);
    }

    /** Returns the kid of the first valid signature, in the order of the header. */
    private String matchingKid(SignatureHeader header, byte[] body) {
        String timestamp = UnixSeconds.format(header.timestamp());
        for (Map.Entry<String, String> entry : header.signatures().entrySet()) {
            String kid = entry.getKey();
            VerifyingKey key = keys.get(kid);
            if (key != null && key.verify(algorithm.signedHead(kid, timestamp, header.id()), body, entry.getValue())) {
                return kid;
            }
        }
        throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The signature does not match");
    }

    /** Reports the rejections counted so far to the audit sink. The verifier can still be used. */
    @Override
    public void close() {
        audit.reportAllRejections();
    }

    @Override
    public String toString() {
        return "WebhookVerifier[" + name + ", " + algorithm.text() + ", kids " + keys.keySet() + "]";
    }

    /** Collects the options; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder extends VerifierBuilder<Builder> {

        private final Map<String, KeySource> keys = new LinkedHashMap<>();
        private @Nullable String pqcAlgorithm;

        private Builder() {
            super(null, WebhookSigner.DEFAULT_HEADER);
        }

        /**
         * Adds a key.
         *
         * @param key for {@code hmac-sha3-512}, its UTF-8 bytes are the key, and it is not decoded; for {@code
         *     pqc-pem}, the text of an X.509 public key file in PEM
         * @throws WebhookException {@code webhook/bad-opt} if the kid is taken or malformed, {@code webhook/bad-secret}
         *     if the key is null
         */
        public Builder key(@Nullable String kid, @Nullable String key) {
            return add(keys, kid, KeySource.ofText("The key '" + kid + "'", key));
        }

        /**
         * Adds a key.
         *
         * @param key for {@code hmac-sha3-512}, the key; for {@code pqc-pem}, an X.509 public key in PEM; is copied
         * @throws WebhookException as {@link #key(String, String)}
         */
        public Builder key(@Nullable String kid, byte @Nullable [] key) {
            return add(keys, kid, KeySource.ofBytes("The key '" + kid + "'", key));
        }

        /** The only post-quantum algorithm to accept. Default, and null: all that are supported. */
        public Builder pqcAlgorithm(@Nullable String pqcAlgorithm) {
            this.pqcAlgorithm = pqcAlgorithm;
            return this;
        }

        /**
         * Loads every key and returns the verifier.
         *
         * @throws WebhookException {@code webhook/bad-opts}, {@code webhook/bad-opt}, {@code webhook/bad-secret},
         *     {@code webhook/bad-alg} or {@code webhook/bad-tolerance}
         * @throws RuntimeException if the nonce store fails
         */
        public WebhookVerifier build() {
            return new WebhookVerifier(this);
        }

        private Map<String, VerifyingKey> verifyingKeys(SignatureAlgorithm algorithm) {
            PqcKeys pqcKeys = algorithm.pqcKeys(pqcAlgorithm);
            requireKeys(keys);
            Map<String, VerifyingKey> loaded = new LinkedHashMap<>();
            keys.forEach((kid, key) -> loaded.put(
                    kid,
                    switch (algorithm) {
                        case HMAC_SHA3_512 -> new HmacSha3Key(key.hmacKey());
                        case PQC_PEM -> pqcKeys.verifyingKey(key);
                    }));
            return loaded;
        }
    }
}
