package io.credential.webhook.signature;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.internal.AuditTrail;
import io.credential.secret.internal.FieldBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;
import io.credential.webhook.signature.scheme.RequestHead;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme;

/**
 * Verifies incoming bodies. It accepts what the holder of one of its keys signed within the time window, if the format signs a
 * time. With a nonce store, it accepts each request once; without one, the same request is accepted again until it expires.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookVerifier implements AutoCloseable {

    /** The default tolerance: how old a signature may be. */
    public static final Duration DEFAULT_TOLERANCE = Duration.ofMinutes(5);

    /** The default clock skew: how far in the future a signature's time may be. */
    public static final Duration DEFAULT_CLOCK_SKEW = Duration.ofMinutes(1);

    private static final String BODY_HASH = "sha256:";

    private final String name;
    private final String scheme;
    private final boolean encodedBodySigned;
    private final VerifierKeys keys;
    private final TimeWindow window;
    private final ReplayGuard replays;
    private final @Nullable String sender;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final ObservationRegistry observations;

    private WebhookVerifier(Builder builder) {
        this.name = builder.nameOrDefault();
        this.scheme = builder.scheme == null ? VerifiedWebhook.CREDENTIAL : builder.scheme.name();
        // The library's own format signs the bytes that are sent.
        this.encodedBodySigned = builder.scheme == null || builder.scheme.isEncodedBodySigned();
        this.keys = builder.loadKeys();
        this.window = new TimeWindow(builder.tolerance, builder.clockSkew);
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
     * Verifies a body against the headers of its request.
     *
     * @param body the bytes as they were received
     * @param headers all lines of each header by its name; names are compared without regard to case
     * @throws WebhookException with the code of the first check that failed
     * @throws NonceStoreException if the nonce store fails
     */
    public VerifiedWebhook verify(byte @Nullable [] body, @Nullable Map<String, List<String>> headers)
            throws WebhookException {
        return verifyRequest(new RequestHead("", headers), body);
    }

    /**
     * Verifies a body against the head of its request, for schemes that also sign the URL.
     *
     * @param body the bytes as they were received
     * @throws WebhookException with the code of the first check that failed
     * @throws NonceStoreException if the nonce store fails
     */
    public VerifiedWebhook verifyRequest(RequestHead head, byte @Nullable [] body) throws WebhookException {
        return presented(head, false).verify(body);
    }

    /**
     * Does the same as {@link #examineRequest}, for schemes that do not sign the URL.
     *
     * @param headers all lines of each header by its name; names are compared without regard to case
     * @throws WebhookException with the code of the first check that failed
     */
    public PresentedSignature<VerifiedWebhook> examine(@Nullable Map<String, List<String>> headers)
            throws WebhookException {
        return examineRequest(new RequestHead("", headers));
    }

    /**
     * Makes every check that does not need the body: headers, time window and kid. A caller can then read the body only
     * if these pass.
     *
     * @throws WebhookException with the code of the first check that failed
     */
    public PresentedSignature<VerifiedWebhook> examineRequest(RequestHead head) throws WebhookException {
        return presented(head, true);
    }

    private PresentedSignature<VerifiedWebhook> presented(RequestHead head, boolean bodyFollows) {
        Verification verification = new Verification(name, keys.algorithm(), audit, observations);
        AtomicReference<ReplayGuard.@Nullable Recorded> nonce = new AtomicReference<>();
        PresentedSignature<VerifiedWebhook> checks = verification.examine(
                () -> {
                    WebhookScheme.Presented presented = keys.format().examine(head);
                    WebhookClaims claims = presented.claims();
                    if (claims.id() != null) {
                        verification.presents(claims.id());
                    }
                    requireInTime(claims);
                    presented.requireKnownKey();
                    return (body, checked) -> complete(presented, claims, body, bodyFollows, checked, nonce);
                },
                verified -> verification.succeeded(
                        verified.signed().contains(Part.ID) ? verified.id() : null, () -> facts(verified)));
        return scheme.equals(VerifiedWebhook.CREDENTIAL) ? checks : new Forgettable(checks, nonce);
    }

    /** A request whose nonce can be forgotten. */
    private final class Forgettable implements PresentedSignature<VerifiedWebhook> {

        private final PresentedSignature<VerifiedWebhook> checks;
        private final AtomicReference<ReplayGuard.@Nullable Recorded> nonce;

        Forgettable(PresentedSignature<VerifiedWebhook> checks, AtomicReference<ReplayGuard.@Nullable Recorded> nonce) {
            this.checks = checks;
            this.nonce = nonce;
        }

        @Override
        public VerifiedWebhook verify(byte @Nullable [] body, Runnable signatureChecked) {
            return checks.verify(body, signatureChecked);
        }

        @Override
        public void abandon(String reason) {
            checks.abandon(reason);
        }

        @Override
        public void forget() {
            ReplayGuard.Recorded recorded = nonce.getAndSet(null);
            if (recorded != null) {
                replays.forget(recorded);
            }
        }
    }

    private Map<String, Object> facts(VerifiedWebhook verified) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("verifier", name);
        facts.put("algorithm", verified.algorithm());
        facts.put("kid", verified.kid());
        if (verified.timestamp() != null) {
            facts.put("timestamp", verified.timestamp());
        }
        if (verified.id() != null && !verified.signed().contains(Part.ID)) {
            facts.put("presentedId", verified.id());
        }
        return facts;
    }

    /**
     * Returns the length in bytes of the longest signature of these keys. In a header, it takes at most twice as many
     * characters, which the server must accept.
     */
    public int signatureBytes() {
        return keys.signatureBytes();
    }

    /** Returns whether verifying takes so long that not too many signatures should be verified at once. */
    public boolean isCostly() {
        return keys.isCostly();
    }

    /**
     * Returns whether the signature of a request with a {@code Content-Encoding} covers the encoded bytes. Otherwise, the body
     * must be decoded before it is verified.
     */
    public boolean isEncodedBodySigned() {
        return encodedBodySigned;
    }

    /** Returns the identity of each key by kid, which tells whether other verifiers have the same ones. */
    public Map<String, KeyIdentity> keyIdentities() {
        return keys.identities();
    }

    /** A time that is not signed proves nothing, and anyone could change it. */
    private void requireInTime(WebhookClaims claims) {
        if (claims.timestamp() != null && claims.signed().contains(Part.TIMESTAMP)) {
            window.check(claims.timestamp(), clock.instant());
        }
    }

    private VerifiedWebhook complete(
            WebhookScheme.Presented presented,
            WebhookClaims claims,
            byte @Nullable [] body,
            boolean bodyFollows,
            Runnable signatureChecked,
            AtomicReference<ReplayGuard.@Nullable Recorded> nonce) {
        byte[] present = WebhookOptions.requiredBody(body);
        if (bodyFollows) {
            // Again: a body that arrives slowly must not outlive the nonce of an earlier delivery.
            requireInTime(claims);
        }
        WebhookScheme.Match match;
        try {
            match = presented.verify(present);
        } finally {
            signatureChecked.run();
        }
        String id = match.id() == null ? signedId(claims) : match.id();
        String bodyHash = id == null ? FieldBytes.sha256(present, present.length) : null;
        nonce.set(record(claims, present, bodyHash));
        return new VerifiedWebhook(
                match.algorithm(),
                match.kid(),
                claims.timestamp(),
                id == null ? claims.id() : id,
                sender,
                scheme,
                match.type() == null ? claims.type() : match.type(),
                signed(claims, match),
                id == null ? BODY_HASH + bodyHash : VerifiedWebhook.deduplicationId(scheme, id));
    }

    private static @Nullable String signedId(WebhookClaims claims) {
        return claims.signed().contains(Part.ID) ? claims.id() : null;
    }

    /** The signature covers what the body says. */
    private static Set<Part> signed(WebhookClaims claims, WebhookScheme.Match match) {
        if (match.id() == null && match.type() == null) {
            return claims.signed();
        }
        Set<Part> signed = EnumSet.noneOf(Part.class);
        signed.addAll(claims.signed());
        if (match.id() != null) {
            signed.add(Part.ID);
        }
        if (match.type() != null) {
            signed.add(Part.TYPE);
        }
        return signed;
    }

    /**
     * Records the request as accepted. Two requests are the same if they agree in all that the signature covers. In formats whose
     * headers have an id that it covers, the id is enough: it identifies the attempt in this library's own, and the event in
     * others.
     *
     * @param bodyHash null if it is not known yet
     * @return the nonce; null without a store
     */
    private ReplayGuard.@Nullable Recorded record(WebhookClaims claims, byte[] body, @Nullable String bodyHash) {
        if (!replays.isEnabled()) {
            return null;
        }
        Long timestamp = claims.signed().contains(Part.TIMESTAMP) ? claims.timestamp() : null;
        long signedAt = timestamp == null ? clock.instant().getEpochSecond() : timestamp;
        String id = signedId(claims);
        if (id != null) {
            return replays.record(signedAt, WebhookErrorCode.EXPIRED, id);
        }
        return replays.record(
                signedAt,
                WebhookErrorCode.EXPIRED,
                String.valueOf(timestamp),
                bodyHash == null ? FieldBytes.sha256(body, body.length) : bodyHash);
    }

    /** Reports the rejections counted so far to the audit sink. The verifier can still be used. */
    @Override
    public void close() {
        audit.reportAllRejections();
    }

    @Override
    public String toString() {
        return "WebhookVerifier[" + name + ", " + keys.algorithm() + ", kids "
                + keys.identities().keySet() + "]";
    }

    /** Collects the options; {@link #build()} checks them. Not thread-safe. */
    public static final class Builder extends VerifierBuilder<Builder> {

        private final Map<String, KeySource> keys = new LinkedHashMap<>();
        private @Nullable String pqcAlgorithm;
        private @Nullable WebhookScheme scheme;

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

        /**
         * Another scheme than this library's own, which takes the place of {@code algorithm}, {@code pqcAlgorithm} and {@code
         * signatureHeader}.
         *
         * @throws WebhookException {@code webhook/bad-opt} if it is null, or named {@code credential}
         */
        public Builder scheme(@Nullable WebhookScheme scheme) {
            if (WebhookOptions.required(scheme, "scheme").name().equals(VerifiedWebhook.CREDENTIAL)) {
                throw new WebhookException(WebhookErrorCode.BAD_OPT, "No other scheme can be named 'credential'");
            }
            this.scheme = scheme;
            return this;
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

        private VerifierKeys loadKeys() {
            if (scheme == null) {
                SignatureAlgorithm own = SignatureAlgorithm.of(algorithm);
                PqcKeys pqcKeys = own.pqcKeys(pqcAlgorithm);
                requireKeys(keys);
                return VerifierKeys.own(own, pqcKeys, keys, requireSignatureHeader());
            }
            if (algorithm != null || pqcAlgorithm != null) {
                throw new WebhookException(
                        WebhookErrorCode.BAD_OPT,
                        "The scheme '" + scheme.name() + "' does not use algorithm and pqcAlgorithm; leave them out");
            }
            requireKeys(keys);
            return VerifierKeys.of(scheme, keys);
        }
    }
}
