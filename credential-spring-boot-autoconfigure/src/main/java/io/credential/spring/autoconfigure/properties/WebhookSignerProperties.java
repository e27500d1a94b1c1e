package io.credential.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.webhook.signature.WebhookSigner;

/**
 * Configuration properties of a signer of outgoing webhooks. Immutable.
 *
 * @param algorithm Signature algorithm: 'hmac-sha3-512' or 'pqc-pem'.
 * @param keys Keys by kid; for 'hmac-sha3-512' the secret itself, 'base64:' followed by the encoded secret, or the
 *     location of a resource; for 'pqc-pem' a 'private-key' and a 'public-key'.
 * @param defaultKid Kid of the key that signs; required with several keys.
 * @param pqcAlgorithm The only accepted post-quantum algorithm; by default that of the key.
 * @param signatureHeader Name of the request header that contains the signature.
 * @param auditSuccess Whether successful operations are audited.
 * @param auditFailures Whether failed operations are audited.
 * @param retry retries of a send
 * @param http the HTTP client
 * @since 0.1.0
 */
@ConfigurationPropertiesSource
public record WebhookSignerProperties(
        @DefaultValue("hmac-sha3-512") Algorithm algorithm,
        @DefaultValue Map<String, WebhookKey> keys,
        @Nullable String defaultKid,
        @Nullable String pqcAlgorithm,
        @DefaultValue(WebhookSigner.DEFAULT_HEADER) String signatureHeader,
        @DefaultValue("true") boolean auditSuccess,
        @DefaultValue("true") boolean auditFailures,
        @DefaultValue Retry retry,
        @DefaultValue Http http) {

    private static final int MAX_ATTEMPTS = 20;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    public WebhookSignerProperties {
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        defaultKid = WebhookRules.emptyToNull(defaultKid);
        pqcAlgorithm = WebhookRules.emptyToNull(pqcAlgorithm);
    }

    void check(String name) {
        PropertyRules.require(
                algorithm != Algorithm.HMAC_SHA256_PROCESSOR,
                name + ".algorithm",
                algorithm.text(),
                "Signers support 'hmac-sha3-512' and 'pqc-pem'.");
        WebhookRules.requireKeys(name, keys, algorithm, true);
        WebhookRules.requirePqcAlgorithm(name, algorithm, pqcAlgorithm);
        WebhookRules.requireHeaderName(name, signatureHeader);
        PropertyRules.require(
                defaultKid == null || keys.containsKey(defaultKid),
                name + ".default-kid",
                defaultKid,
                "It must be one of the kids under '" + name + ".keys': " + keys.keySet() + ".");
        PropertyRules.require(
                defaultKid != null || keys.size() == 1,
                name + ".default-kid",
                "",
                "With more than one key, name the one that signs: " + keys.keySet() + ".");
        retry.check(name + ".retry.");
        http.check(name + ".http.");
    }

    /**
     * Configuration properties for retries.
     *
     * @param initial Pause after the first attempt, up to 10 minutes; doubles after each further attempt, and is
     *     shortened at random by up to half.
     * @param max Maximum pause between attempts, even if a receiver sends Retry-After, up to 10 minutes.
     * @param maxAttempts Maximum number of attempts for one send, 1 to 20.
     */
    public record Retry(
            @DefaultValue("500ms") Duration initial,
            @DefaultValue("10s") Duration max,
            @DefaultValue("3") int maxAttempts) {

        private void check(String prefix) {
            PropertyRules.require(
                    maxAttempts >= 1 && maxAttempts <= MAX_ATTEMPTS,
                    prefix + "max-attempts",
                    maxAttempts,
                    "It must be 1 to " + MAX_ATTEMPTS + ".");
            requireUpTo10Minutes(prefix + "initial", initial);
            requireUpTo10Minutes(prefix + "max", max);
            PropertyRules.require(
                    max.compareTo(initial) >= 0,
                    prefix + "max",
                    max,
                    "It must not be shorter than '" + prefix + "initial', which is " + initial + ".");
        }
    }

    /**
     * Configuration properties of the HTTP client.
     *
     * @param connectTimeout Timeout for the connection, and again for the TLS handshake, up to 10 minutes.
     * @param requestTimeout Timeout for one attempt, from DNS lookup to the last byte of the response, up to 10
     *     minutes.
     * @param sslBundle Name of the SSL bundle with trusted certificates and the client certificate; by default the
     *     JDK's trust store.
     */
    public record Http(
            @DefaultValue("5s") Duration connectTimeout,
            @DefaultValue("15s") Duration requestTimeout,
            @Nullable String sslBundle) {

        public Http {
            sslBundle = WebhookRules.emptyToNull(sslBundle);
        }

        private void check(String prefix) {
            requireUpTo10Minutes(prefix + "connect-timeout", connectTimeout);
            requireUpTo10Minutes(prefix + "request-timeout", requestTimeout);
        }
    }

    private static void requireUpTo10Minutes(String property, Duration value) {
        PropertyRules.require(
                value.compareTo(SHORTEST) >= 0 && value.compareTo(LONGEST) <= 0,
                property,
                value,
                "It must be 1 millisecond to 10 minutes.");
    }
}
