package io.credential.webhook.signature;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.TransportHeaders;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.signature.internal.SegmentNames;
import io.credential.webhook.signature.internal.UlidGenerator;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.internal.HmacSha3Key;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;
import io.credential.webhook.signature.key.internal.SigningKey;

/**
 * Signs outgoing bodies. The signature covers algorithm, key id, time, a fresh id and the body, so that none of them
 * can be replaced without the key. It is not encryption: anyone can read the body. Signs bytes only; {@code
 * WebhookSender} sends them. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookSigner {

    /** The default name of the signature header. */
    public static final String DEFAULT_HEADER = "Webhook-Signature";

    /** The header that is the same in all attempts to send a webhook. */
    public static final String DELIVERY_ID_HEADER = "X-Webhook-Delivery-Id";

    private static final String EVENT = "webhook.sign";
    private static final Set<String> OTHER_HEADERS =
            Set.of("content-type", DELIVERY_ID_HEADER.toLowerCase(Locale.ROOT));

    private final String name;
    private final SignatureAlgorithm algorithm;
    private final String kid;
    private final SigningKey key;
    private final Map<String, SigningKey> additionalKeys;
    private final String signatureHeader;
    private final Supplier<String> idGenerator;
    private final InstantSource clock;
    private final AuditTrail audit;
    private final Map<String, Object> facts;

    private WebhookSigner(Builder builder) {
        this.name = builder.nameOrDefault();
        this.algorithm = SignatureAlgorithm.of(builder.algorithm);
        Map<String, SigningKey> keys = builder.signingKeys(algorithm);
        this.kid = builder.defaultKid(keys);
        this.key = Objects.requireNonNull(keys.get(kid));
        this.additionalKeys = builder.additionalKeys(keys, kid);
        this.signatureHeader = builder.requireSignatureHeader();
        this.clock = builder.clock;
        this.idGenerator =
                builder.idGenerator == null ? new UlidGenerator(clock, builder.random)::next : builder.idGenerator;
        this.audit = builder.auditTrail();
        this.facts = Map.of("signer", name, "algorithm", algorithm.text(), "kid", kid);
    }

    /**
     * Returns whether a header of this name, in any case, cannot carry the signature because requests use it for
     * something else: {@code Content-Type}, {@link #DELIVERY_ID_HEADER}, and headers that HTTP clients set themselves.
     */
    public static boolean isReservedHeader(String name) {
        return TransportHeaders.contains(name) || OTHER_HEADERS.contains(name.toLowerCase(Locale.ROOT));
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Signs a body under a new id.
     *
     * @param body the bytes that will be sent, exactly
     * @throws WebhookException {@code webhook/bad-body} if the body is null, {@code webhook/bad-header-format} if the
     *     id generator returned a malformed id
     */
    public SignedWebhook sign(byte @Nullable [] body) {
        return audited(body, idGenerator);
    }

    /**
     * Signs a body under a given id.
     *
     * @param body the bytes that will be sent, exactly
     * @param id must be different in every call, since receivers may accept an id only once; 1 to 128 visible ASCII
     *     characters except {@code .}, {@code ,} and {@code =}
     * @throws WebhookException {@code webhook/bad-body} if the body is null, {@code webhook/bad-opt} if the id is null,
     *     {@code webhook/bad-header-format} if it is malformed
     */
    public SignedWebhook sign(byte @Nullable [] body, @Nullable String id) {
        String present = WebhookOptions.required(id, "id");
        return audited(body, () -> present);
    }

    private SignedWebhook audited(byte @Nullable [] body, Supplier<String> ids) {
        try {
            SignedWebhook signed = signNow(body, ids);
            audit.successReport(EVENT, signed.id(), facts).run();
            return signed;
        } catch (WebhookException e) {
            audit.failure(EVENT, e.errorCode().reason(), null, facts);
            throw e;
        } catch (RuntimeException e) {
            audit.failure(EVENT, "error", null, facts);
            throw e;
        }
    }

    /**
     * Signs a body and returns only {@link SignedWebhook#headers()}.
     *
     * @throws WebhookException as {@link #sign}
     */
    public Map<String, String> headers(byte @Nullable [] body) {
        return sign(body).headers();
    }

    /**
     * Signs a body under a new id without an audit event, for callers that audit what they do with the signature.
     *
     * @throws WebhookException as {@link #sign}
     */
    public SignedWebhook signUnaudited(byte @Nullable [] body) {
        return signNow(body, idGenerator);
    }

    /** Returns the name that identifies the signer in the audit trail. */
    public String name() {
        return name;
    }

    /** Returns {@code hmac-sha3-512} or {@code pqc-pem}. */
    public String algorithm() {
        return algorithm.text();
    }

    /** Returns the id of the key that signs first. */
    public String kid() {
        return kid;
    }

    private SignedWebhook signNow(byte @Nullable [] body, Supplier<String> ids) {
        byte[] present = WebhookOptions.requiredBody(body);
        String id = SegmentNames.requireId(ids.get());
        long seconds = clock.instant().getEpochSecond();
        String timestamp = UnixSeconds.format(seconds);
        String signature = key.sign(algorithm.signedHead(kid, timestamp, id), present);
        String header = SignatureHeader.format(timestamp, id, kid, signature);
        for (Map.Entry<String, SigningKey> other : additionalKeys.entrySet()) {
            byte[] head = algorithm.signedHead(other.getKey(), timestamp, id);
            header += "," + other.getKey() + "=" + other.getValue().sign(head, present);
        }
        return new SignedWebhook(Map.of(signatureHeader, header), seconds, id, kid, signature);
    }

    @Override
    public String toString() {
        return "WebhookSigner[" + name + ", " + algorithm.text() + ", kid " + kid + "]";
    }

    /**
     * Collects the options; {@link #build()} checks them. A null argument fails immediately with {@code
     * webhook/bad-opt} unless null is allowed. Not thread-safe.
     */
    public static final class Builder extends SignatureBuilder<Builder> {

        private final Map<String, Keys> keys = new LinkedHashMap<>();
        private @Nullable String defaultKid;
        private final Set<String> additionalKids = new LinkedHashSet<>();
        private @Nullable String pqcAlgorithm;
        private @Nullable Supplier<String> idGenerator;
        private SecureRandom random = new SecureRandom();

        private Builder() {
            super(null, DEFAULT_HEADER);
        }

        /**
         * Adds a key of {@code hmac-sha3-512}.
         *
         * @param key its UTF-8 bytes are the key; it is not decoded
         * @throws WebhookException {@code webhook/bad-opt} if the kid is taken or malformed, {@code webhook/bad-secret}
         *     if the key is null
         */
        public Builder key(@Nullable String kid, @Nullable String key) {
            return add(keys, kid, new Keys(KeySource.ofText("The key '" + kid + "'", key), null));
        }

        /**
         * Adds a key of {@code hmac-sha3-512}.
         *
         * @param key is copied
         * @throws WebhookException as {@link #key(String, String)}
         */
        public Builder key(@Nullable String kid, byte @Nullable [] key) {
            return add(keys, kid, new Keys(KeySource.ofBytes("The key '" + kid + "'", key), null));
        }

        /**
         * Adds a key pair of {@code pqc-pem}.
         *
         * @param privateKey the text of a PKCS#8 file in PEM; ML-DSA keys as seed, expanded, or both
         * @param publicKey the text of an X.509 file in PEM
         * @throws WebhookException {@code webhook/bad-opt} if the kid is taken or malformed, {@code webhook/bad-secret}
         *     if a key is null
         */
        public Builder keyPair(@Nullable String kid, @Nullable String privateKey, @Nullable String publicKey) {
            return add(
                    keys,
                    kid,
                    new Keys(
                            KeySource.ofText("The private key '" + kid + "'", privateKey),
                            KeySource.ofText("The public key '" + kid + "'", publicKey)));
        }

        /**
         * Adds a key pair of {@code pqc-pem} from the bytes of PEM files.
         *
         * @param privateKey is copied
         * @throws WebhookException as {@link #keyPair(String, String, String)}
         */
        public Builder keyPair(@Nullable String kid, byte @Nullable [] privateKey, byte @Nullable [] publicKey) {
            return add(
                    keys,
                    kid,
                    new Keys(
                            KeySource.ofBytes("The private key '" + kid + "'", privateKey),
                            KeySource.ofBytes("The public key '" + kid + "'", publicKey)));
        }

        /** The id of the key that signs. Required if there is more than one. */
        public Builder defaultKid(@Nullable String defaultKid) {
            this.defaultKid = defaultKid;
            return this;
        }

        /**
         * Adds a key that signs too, after the default key, so that receivers that know either of them accept the webhook while
         * one replaces the other. Default: only the default key signs.
         *
         * @throws WebhookException {@code webhook/bad-opt} if the kid is null or malformed
         */
        public Builder additionalKid(@Nullable String kid) {
            additionalKids.add(SegmentNames.requireKid(kid));
            return this;
        }

        /** The only post-quantum algorithm to accept. Default, and null: all that are supported. */
        public Builder pqcAlgorithm(@Nullable String pqcAlgorithm) {
            this.pqcAlgorithm = pqcAlgorithm;
            return this;
        }

        /** Must return a different id on every call and be thread-safe. Default: ULIDs. */
        public Builder idGenerator(Supplier<String> idGenerator) {
            this.idGenerator = WebhookOptions.required(idGenerator, "idGenerator");
            return this;
        }

        /** Sets the source of ids and post-quantum signatures. Default: a new {@link SecureRandom}. */
        public Builder random(SecureRandom random) {
            this.random = WebhookOptions.required(random, "random");
            return this;
        }

        /**
         * Loads every key and returns the signer. A post-quantum key pair is tested with a signature.
         *
         * @throws WebhookException {@code webhook/bad-opts}, {@code webhook/bad-opt}, {@code webhook/bad-secret} or
         *     {@code webhook/bad-alg}
         */
        public WebhookSigner build() {
            return new WebhookSigner(this);
        }

        private Map<String, SigningKey> signingKeys(SignatureAlgorithm algorithm) {
            PqcKeys pqcKeys = algorithm.pqcKeys(pqcAlgorithm);
            Map<String, SigningKey> loaded = new LinkedHashMap<>();
            keys.forEach((kid, given) -> loaded.put(kid, given.load(algorithm, pqcKeys, random)));
            return loaded;
        }

        private Map<String, SigningKey> additionalKeys(Map<String, SigningKey> loaded, String defaultKid) {
            Map<String, SigningKey> additional = new LinkedHashMap<>();
            for (String kid : additionalKids) {
                SigningKey key = loaded.get(kid);
                if (key == null || kid.equals(defaultKid)) {
                    throw new WebhookException(
                            WebhookErrorCode.BAD_OPT,
                            "additionalKid '" + kid + "' must be the kid of a key other than the default '" + defaultKid
                                    + "'; the kids are " + loaded.keySet());
                }
                additional.put(kid, key);
            }
            return additional;
        }

        private String defaultKid(Map<String, SigningKey> loaded) {
            requireKeys(loaded);
            if (defaultKid == null) {
                if (loaded.size() > 1) {
                    throw new WebhookException(
                            WebhookErrorCode.BAD_OPTS,
                            "defaultKid is required with more than one key; the kids are " + loaded.keySet());
                }
                return loaded.keySet().iterator().next();
            }
            if (!loaded.containsKey(defaultKid)) {
                throw new WebhookException(
                        WebhookErrorCode.BAD_OPT,
                        "defaultKid '" + defaultKid + "' is not the kid of a key; the kids are " + loaded.keySet());
            }
            return defaultKid;
        }
    }

    /** An HMAC key, or a post-quantum key pair. */
    private record Keys(KeySource secret, @Nullable KeySource publicKey) {

        SigningKey load(SignatureAlgorithm algorithm, PqcKeys pqcKeys, SecureRandom random) {
            if (algorithm == SignatureAlgorithm.PQC_PEM && publicKey != null) {
                return pqcKeys.signingKey(secret, publicKey, random);
            }
            if (algorithm == SignatureAlgorithm.HMAC_SHA3_512 && publicKey == null) {
                return new HmacSha3Key(secret.hmacKey());
            }
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    secret.what() + " does not match the algorithm: hmac-sha3-512 requires one key,"
                            + " pqc-pem a private and a public key");
        }
    }
}
