package io.credential.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Configuration properties of one sender of incoming webhooks. Immutable.
 *
 * @param paths Path patterns of requests that must be signed, as in controller mappings, for example '/hooks/partner';
 *     with or without the prefix of a servlet.
 * @param methods HTTP methods of webhooks; requests with other methods are not verified, and are rejected unless Spring
 *     Security authorizes requests to the path.
 * @param allowUnmapped Whether startup succeeds if no controller or servlet serves a path.
 * @param scheme Format of the sender's signatures: 'credential', 'processor', 'standard-webhooks', 'stripe', 'github',
 *     'shopify', 'slack', or the name of a WebhookScheme bean.
 * @param algorithm Signature algorithm of 'credential': 'hmac-sha3-512', 'pqc-pem' or 'hmac-sha256-processor'.
 * @param keys Keys by kid; the secret itself, 'base64:' followed by the encoded secret, or the
 *     location of a resource; for 'pqc-pem' a 'public-key'; for 'hmac-sha256-processor' one secret under any kid.
 * @param pqcAlgorithm The only accepted post-quantum algorithm: 'ml-dsa-65', 'ml-dsa-87' or 'slh-dsa-shake-256f'; by
 *     default that of the key.
 * @param tolerance Maximum age of a signature; for 'hmac-sha256-processor', at least 30 seconds.
 * @param clockSkew How far in the future a signature may be; for 'hmac-sha256-processor', how far the clocks of nodes
 *     with the same nonce store may differ.
 * @param signatureHeader Name of the request header that contains the signature; by default 'Webhook-Signature', for
 *     'hmac-sha256-processor' 'Processor-Signature'.
 * @param nonceStore Store of the ids of accepted requests, so that each signed request is accepted once: 'none',
 *     'memory' (only in single mode), 'jdbc' or 'redis'.
 * @param storeFirst Whether accepted requests are stored, answered with 202, and then processed by methods annotated with
 *     '@OnWebhook' instead of controllers.
 * @param maxBodySize Maximum size of the body, as it is sent and decompressed, up to 256MB.
 * @param auditSuccess Whether accepted requests are audited.
 * @param auditFailures Whether rejected requests are audited.
 * @since 0.1.0
 */
@ConfigurationPropertiesSource
public record WebhookInboundProperties(
        @DefaultValue List<String> paths,
        @DefaultValue("POST") List<String> methods,
        @DefaultValue("false") boolean allowUnmapped,
        @DefaultValue(CREDENTIAL) String scheme,
        @DefaultValue("hmac-sha3-512") Algorithm algorithm,
        @DefaultValue Map<String, WebhookKey> keys,
        @Nullable String pqcAlgorithm,
        @DefaultValue("5m") Duration tolerance,
        @DefaultValue("1m") Duration clockSkew,
        @Nullable String signatureHeader,
        @DefaultValue("none") NonceStoreKind nonceStore,
        @DefaultValue("false") boolean storeFirst,
        @DefaultValue("1MB") DataSize maxBodySize,
        @DefaultValue("true") boolean auditSuccess,
        @DefaultValue("true") boolean auditFailures) {

    private static final String CREDENTIAL = VerifiedWebhook.CREDENTIAL;
    private static final String PROCESSOR = "processor";
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final long MAX_BYTES = DataSize.ofMegabytes(256).toBytes();

    public WebhookInboundProperties {
        paths = List.copyOf(paths);
        methods =
                methods.stream().map(method -> method.toUpperCase(Locale.ROOT)).toList();
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        pqcAlgorithm = WebhookRules.emptyToNull(pqcAlgorithm);
        signatureHeader = WebhookRules.emptyToNull(signatureHeader);
    }

    /** Whether the signatures are in the style of payment processors. */
    public boolean isProcessor() {
        return scheme.equals(PROCESSOR) || algorithm == Algorithm.HMAC_SHA256_PROCESSOR;
    }

    /** Whether the signatures have a format of others. */
    public boolean isForeign() {
        return !scheme.equals(CREDENTIAL) && !isProcessor();
    }

    /** Returns the configured header, or the default one of the algorithm. */
    public String effectiveSignatureHeader() {
        if (signatureHeader != null) {
            return signatureHeader;
        }
        return isProcessor() ? ProcessorSignature.DEFAULT_HEADER : WebhookSigner.DEFAULT_HEADER;
    }

    void check(String name) {
        PropertyRules.require(
                !paths.isEmpty(), name + ".paths", "", "Name the paths to protect, for example '/hooks/partner'.");
        for (String path : paths) {
            PropertyRules.requireResolved(name + ".paths", path);
            PropertyRules.require(path.startsWith("/"), name + ".paths", path, "It must begin with '/'.");
        }
        PropertyRules.require(
                !methods.isEmpty()
                        && methods.stream()
                                .allMatch(method -> METHOD.matcher(method).matches()),
                name + ".methods",
                methods,
                "Name at least one HTTP method, for example POST.");
        checkScheme(name);
        if (isForeign()) {
            WebhookRules.requireKeys(name, keys, scheme, false, false);
        } else {
            WebhookRules.requireKeys(name, keys, algorithm, false);
        }
        PropertyRules.require(
                !isProcessor() || keys.size() == 1,
                name + ".keys",
                keys.keySet(),
                "With 'hmac-sha256-processor', configure exactly one secret; its kid is not sent.");
        checkStoreFirst(name);
        WebhookRules.requirePqcAlgorithm(name, algorithm, pqcAlgorithm);
        WebhookRules.requireHeaderName(name, effectiveSignatureHeader());
        checkWindow(name);
        PropertyRules.require(
                !maxBodySize.isNegative() && maxBodySize.toBytes() <= MAX_BYTES,
                name + ".max-body-size",
                maxBodySize,
                "It must be 0B to 256MB: the body is held in memory while it is verified.");
    }

    private void checkStoreFirst(String name) {
        PropertyRules.require(
                !storeFirst || nonceStore == NonceStoreKind.NONE,
                name + ".nonce-store",
                nonceStore,
                "With 'store-first', the inbox recognizes repetitions; remove this property.");
        PropertyRules.require(
                !storeFirst || !isProcessor(),
                name + ".store-first",
                storeFirst,
                "It is not available for 'hmac-sha256-processor'. For Stripe, set 'scheme' to 'stripe'; otherwise process the"
                        + " webhooks in a controller.");
    }

    /** The default algorithm cannot be told from one that is configured. */
    private void checkScheme(String name) {
        if (scheme.equals(CREDENTIAL)) {
            return;
        }
        PropertyRules.require(
                algorithm == Algorithm.HMAC_SHA3_512
                        || (scheme.equals(PROCESSOR) && algorithm == Algorithm.HMAC_SHA256_PROCESSOR),
                name + ".algorithm",
                algorithm.text(),
                "The scheme '" + scheme + "' has its own algorithm; remove this property.");
        PropertyRules.require(
                pqcAlgorithm == null,
                name + ".pqc-algorithm",
                pqcAlgorithm,
                "The scheme '" + scheme + "' has its own algorithm; remove this property.");
        PropertyRules.require(
                !isForeign() || signatureHeader == null,
                name + ".signature-header",
                signatureHeader,
                "The scheme '" + scheme + "' has its own headers; remove this property.");
    }

    private void checkWindow(String name) {
        PropertyRules.require(
                tolerance.compareTo(Duration.ZERO) > 0 && tolerance.compareTo(LONGEST) <= 0,
                name + ".tolerance",
                tolerance,
                "It must be longer than zero and at most 36500 days.");
        PropertyRules.require(
                !isProcessor() || tolerance.compareTo(ProcessorSignature.MIN_TOLERANCE) >= 0,
                name + ".tolerance",
                tolerance,
                "With 'hmac-sha256-processor' it must be 30 seconds or longer.");
        PropertyRules.require(
                !clockSkew.isNegative() && clockSkew.compareTo(LONGEST) <= 0,
                name + ".clock-skew",
                clockSkew,
                "It must be zero or longer and at most 36500 days.");
    }
}
