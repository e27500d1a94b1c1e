package io.credential.webhook.signature;

import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.signature.internal.SegmentNames;

/** The options that signers and verifiers share. Not thread-safe. */
abstract class SignatureBuilder<B extends SignatureBuilder<B>> {

    private static final String DEFAULT_NAME = "default";

    /** A field name of HTTP (RFC 9110). */
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");

    @Nullable String name;

    @Nullable String algorithm;

    InstantSource clock = InstantSource.system();

    private String signatureHeader;
    private AuditSink audit = AuditSink.none();
    private AuditCaller caller = () -> null;
    private boolean auditSuccess = true;
    private boolean auditFailures = true;

    SignatureBuilder(@Nullable String algorithm, String signatureHeader) {
        this.algorithm = algorithm;
        this.signatureHeader = signatureHeader;
    }

    /**
     * Identifies the signer or verifier in the audit trail, and the verifier in a shared nonce store, since
     * different senders may use the same ids. It becomes the sender of a verified webhook. Default: {@code default};
     * a verified webhook then has no sender.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null or blank
     */
    public B name(@Nullable String name) {
        this.name = WebhookOptions.requiredText(name, "name");
        return self();
    }

    /**
     * {@code hmac-sha3-512} or {@code pqc-pem}; required. A {@link ProcessorSignature} supports only its default,
     * {@link ProcessorSignature#ALGORITHM}.
     */
    public B algorithm(@Nullable String algorithm) {
        this.algorithm = algorithm;
        return self();
    }

    /**
     * Default: {@link WebhookSigner#DEFAULT_HEADER}, or {@link ProcessorSignature#DEFAULT_HEADER}.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null or blank
     */
    public B signatureHeader(@Nullable String signatureHeader) {
        this.signatureHeader = WebhookOptions.requiredText(signatureHeader, "signatureHeader");
        return self();
    }

    /**
     * Default: the system clock.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null
     */
    public B clock(@Nullable InstantSource clock) {
        this.clock = WebhookOptions.required(clock, "clock");
        return self();
    }

    /**
     * Default: none.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null
     */
    public B audit(@Nullable AuditSink audit) {
        this.audit = WebhookOptions.required(audit, "audit");
        return self();
    }

    /**
     * Supplies who is acting on the calling thread; default: unknown.
     *
     * @throws WebhookException {@code webhook/bad-opt} if it is null
     */
    public B auditCaller(@Nullable AuditCaller caller) {
        this.caller = WebhookOptions.required(caller, "auditCaller");
        return self();
    }

    /** Whether successes are audited; default: true. */
    public B auditSuccess(boolean auditSuccess) {
        this.auditSuccess = auditSuccess;
        return self();
    }

    /** Whether failures are audited; default: true. */
    public B auditFailures(boolean auditFailures) {
        this.auditFailures = auditFailures;
        return self();
    }

    String nameOrDefault() {
        return name == null ? DEFAULT_NAME : name;
    }

    /**
     * @throws WebhookException {@code webhook/bad-opt} if it is not a header name, or requests use it for something
     *     else
     */
    String requireSignatureHeader() {
        if (!HEADER_NAME.matcher(signatureHeader).matches()) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "signatureHeader must be the name of an HTTP header, 1 to 128 letters, digits and hyphens");
        }
        if (WebhookSigner.isReservedHeader(signatureHeader)) {
            throw new WebhookException(
                    WebhookErrorCode.BAD_OPT,
                    "signatureHeader must not be '" + signatureHeader
                            + "': requests use this header for something else;"
                            + " choose another one, such as Webhook-Signature");
        }
        return signatureHeader;
    }

    AuditTrail auditTrail() {
        return new AuditTrail(audit, caller, clock, "webhook", auditSuccess, auditFailures);
    }

    <K> B add(Map<String, K> keys, @Nullable String kid, K key) {
        if (keys.putIfAbsent(SegmentNames.requireKid(kid), key) != null) {
            throw new WebhookException(WebhookErrorCode.BAD_OPT, "Two keys have the kid '" + kid + "'");
        }
        return self();
    }

    static void requireKeys(Map<String, ?> keys) {
        if (keys.isEmpty()) {
            throw new WebhookException(WebhookErrorCode.BAD_OPTS, "At least one key is required");
        }
    }

    @SuppressWarnings("unchecked") // each builder passes its own type
    final B self() {
        return (B) this;
    }
}
