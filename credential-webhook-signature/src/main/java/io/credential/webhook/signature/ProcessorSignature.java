package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.signature.internal.ProcessorHeader;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.scheme.RequestHead;

/**
 * Signs and verifies in the style of payment processors: {@code t=<timestamp>,v1=<signature>}, an HMAC-SHA-256 over
 * {@code <timestamp>.<body>}. It does not cover an id; a nonce store refuses the same signature a second time.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ProcessorSignature implements AutoCloseable {

    /** The only algorithm of this style. */
    public static final String ALGORITHM = "hmac-sha256-processor";

    /** The default tolerance: how far the time of a signature may be from now. */
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** The shortest tolerance, since clocks differ and networks are slow. */
    public static final Duration MIN_TOLERANCE = Duration.ofSeconds(30);

    /** The default name of the signature header. */
    public static final String DEFAULT_HEADER = "Processor-Signature";

    private static final String SIGN = "webhook.sign";

    private final String name;
    private final Map<String, Object> facts;
    private final HmacSha256Key key;
    private final TimeWindow window;
    private final ReplayGuard replays;
    private final String signatureHeader;
    private final @Nullable String sender;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final ObservationRegistry observations;

    private ProcessorSignature(Builder builder) {
        if (!ALGORITHM.equals(builder.algorithm)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_ALG,
                    "The algorithm '" + builder.algorithm + "' is not supported; use " + ALGORITHM);
        }
        this.name = builder.nameOrDefault();
        this.facts = Map.of("signer", name, "algorithm", ALGORITHM);
        this.key = new HmacSha256Key(builder.requireSecret().hmacKey());
        this.window = window(builder.tolerance, builder.clockSkew);
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
     * Signs a body with the current time.
     *
     * @return the value of the signature header
     * @throws WebhookException {@code webhook/bad-body} if the body is null
     */
    public String sign(byte @Nullable [] body) {
        return sign(body, clock.instant().getEpochSecond());
    }

    /**
     * Signs a body with a given time.
     *
     * @param timestamp in Unix seconds
     * @return the value of the signature header
     * @throws WebhookException {@code webhook/bad-body} if the body is null, {@code webhook/bad-timestamp} if the
     *     timestamp is negative or too large
     */
    public String sign(byte @Nullable [] body, long timestamp) {
        try {
            String text = UnixSeconds.format(timestamp);
            String header = ProcessorHeader.format(text, List.of(compute(text, WebhookOptions.requiredBody(body))));
            audit.successReport(SIGN, null, facts).run();
            return header;
        } catch (WebhookException e) {
            audit.failure(SIGN, e.errorCode().reason(), null, facts);
            throw e;
        }
    }

    /**
     * Verifies a body against the value of its signature header.
     *
     * @param header null if the request has none
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    public ProcessorVerification verify(@Nullable String header, byte @Nullable [] body) throws WebhookException {
        return presented(header, false).verify(body);
    }

    /**
     * Verifies a body against the signature header of its request. A request with two such headers is treated as if it
     * had none.
     *
     * @param body the bytes as they were received
     * @param headers all lines of each header by its name; names are compared without regard to case
     * @throws WebhookException with the code of the first check that failed
     * @throws RuntimeException if the nonce store fails
     */
    public ProcessorVerification verify(byte @Nullable [] body, @Nullable Map<String, List<String>> headers)
            throws WebhookException {
        List<String> lines = new RequestHead("", headers).lines(signatureHeader);
        return verify(lines.size() == 1 ? lines.get(0) : null, body);
    }

    /** Returns the name of the signature header. */
    public String signatureHeader() {
        return signatureHeader;
    }

    /** Returns the identity of the key, which tells whether another sender has the same one. */
    public KeyIdentity keyIdentity() {
        return key.identity();
    }

    /**
     * Makes every check that does not need the body: header and tolerance. A caller can then read the body only if
     * these pass.
     *
     * @param header null if the request has none
     * @throws WebhookException with the code of the first check that failed
     */
    public PresentedSignature<ProcessorVerification> examine(@Nullable String header) throws WebhookException {
        return presented(header, true);
    }

    private PresentedSignature<ProcessorVerification> presented(@Nullable String header, boolean bodyFollows) {
        Verification verification = new Verification(name, ALGORITHM, audit, observations);
        return verification.examine(
                () -> {
                    ProcessorHeader parsed = ProcessorHeader.parse(header);
                    requireFresh(parsed);
                    return (body, checked) -> complete(parsed, body, bodyFollows, checked);
                },
                verified -> verification.succeeded(
                        null,
                        () -> Map.of("verifier", name, "algorithm", ALGORITHM, "timestamp", verified.timestamp())));
    }

    private ProcessorVerification complete(
            ProcessorHeader header, byte @Nullable [] body, boolean bodyFollows, Runnable signatureChecked) {
        byte[] present = WebhookOptions.requiredBody(body);
        if (bodyFollows) {
            // Again: a body that arrives slowly must not outlive the nonce of an earlier delivery.
            requireFresh(header);
        }
        String timestamp = UnixSeconds.format(header.timestamp());
        byte[] expected = compute(timestamp, present);
        boolean matches = matches(header.signatures(), expected);
        signatureChecked.run();
        if (!matches) {
            throw new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "The signature does not match");
        }
        if (replays.isEnabled()) {
            replays.record(header.timestamp(), WebhookErrorCode.STALE_TIMESTAMP, timestamp, HexText.encode(expected));
        }
        return new ProcessorVerification(header.timestamp(), ProcessorHeader.SCHEME, sender);
    }

    private static boolean matches(List<byte[]> signatures, byte[] expected) {
        for (byte[] signature : signatures) {
            if (MessageDigest.isEqual(expected, signature)) {
                return true;
            }
        }
        return false;
    }

    private void requireFresh(ProcessorHeader header) {
        Duration age = TimeWindow.age(header.timestamp(), clock.instant());
        if (age.abs().compareTo(window.tolerance()) > 0) {
            throw new WebhookException(
                    WebhookErrorCode.STALE_TIMESTAMP,
                    "The timestamp is further from now than the tolerance of " + window.tolerance());
        }
    }

    private byte[] compute(String timestamp, byte[] body) {
        return key.compute((timestamp + ".").getBytes(StandardCharsets.US_ASCII), body);
    }

    /** With the skew, no node that shares a nonce store accepts what the clock of another has already expired. */
    private static TimeWindow window(Duration tolerance, Duration clockSkew) {
        if (tolerance.compareTo(MIN_TOLERANCE) < 0) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_TOLERANCE,
                    "The tolerance must be " + MIN_TOLERANCE + " or longer, not " + tolerance);
        }
        return new TimeWindow(tolerance, clockSkew);
    }

    /** Reports the rejections counted so far to the audit sink. This object can still be used. */
    @Override
    public void close() {
        audit.reportAllRejections();
    }

    @Override
    public String toString() {
        return "ProcessorSignature[" + name + "]";
    }

    /** Collects the options; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder extends VerifierBuilder<Builder> {

        private @Nullable KeySource secret;

        private Builder() {
            super(ALGORITHM, DEFAULT_HEADER);
        }

        /**
         * The secret as the processor shows it, including any prefix: its UTF-8 bytes are the key. Required.
         *
         * @throws WebhookException {@code webhook/bad-secret} if it is null
         */
        public Builder secret(@Nullable String secret) {
            this.secret = KeySource.ofText("The secret", secret);
            return this;
        }

        /**
         * The key, which is copied. Required.
         *
         * @throws WebhookException {@code webhook/bad-secret} if it is null
         */
        public Builder secret(byte @Nullable [] secret) {
            this.secret = KeySource.ofBytes("The secret", secret);
            return this;
        }

        /**
         * @throws WebhookException {@code webhook/bad-alg}, {@code webhook/bad-secret}, {@code webhook/bad-opt} or
         *     {@code webhook/bad-tolerance}
         * @throws RuntimeException if the nonce store fails
         */
        public ProcessorSignature build() {
            return new ProcessorSignature(this);
        }

        private KeySource requireSecret() {
            if (secret == null) {
                throw new WebhookException(WebhookErrorCode.BAD_SECRET, "The secret is missing");
            }
            return secret;
        }
    }
}
