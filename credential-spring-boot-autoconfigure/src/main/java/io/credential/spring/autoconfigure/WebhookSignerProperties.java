package io.credential.spring.autoconfigure;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.spring.autoconfigure.WebhookProperties.Algorithm;

/**
 * A signer of outgoing webhooks. Immutable.
 *
 * @param algorithm How bodies are signed.
 * @param keys Keys by their kid; with 'hmac-sha3-512' a text, 'base64:' text or the location of a resource, with
 *     'pqc-pem' a 'private-key' and a 'public-key' below each.
 * @param defaultKid Kid of the key that signs; required when there is more than one.
 * @param pqcAlgorithm The only algorithm that keys of 'pqc-pem' may have; by default each key says its own.
 * @param signatureHeader Name of the request header that carries the signature.
 * @param auditSuccess Whether successes are audited.
 * @param auditFailures Whether failures are audited.
 * @param retry how often sending is tried
 * @param http how requests are sent
 * @since 0.1.0
 */
@ConfigurationPropertiesSource
public record WebhookSignerProperties(
        @DefaultValue("hmac-sha3-512") Algorithm algorithm,
        @DefaultValue Map<String, WebhookKey> keys,
        @Nullable String defaultKid,
        @Nullable String pqcAlgorithm,
        @DefaultValue("Webhook-Signature") String signatureHeader,
        @DefaultValue("true") boolean auditSuccess,
        @DefaultValue("true") boolean auditFailures,
        @DefaultValue Retry retry,
        @DefaultValue Http http) {

    private static final int MOST_ATTEMPTS = 20;
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Keeps the keys in their order. */
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
                "Signers have 'hmac-sha3-512' or 'pqc-pem'.");
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
                "With more than one key, say which one signs: " + keys.keySet() + ".");
        retry.check(name + ".retry.");
        http.check(name + ".http.");
    }

    /**
     * How often sending is tried.
     *
     * @param initial Pause after the first attempt; each further one is twice as long, and shortened at random by up to
     *     half.
     * @param max Longest pause, at most 10 minutes.
     * @param maxAttempts Requests in all, 1 to 20.
     */
    public record Retry(
            @DefaultValue("500ms") Duration initial,
            @DefaultValue("10s") Duration max,
            @DefaultValue("3") int maxAttempts) {

        private void check(String prefix) {
            PropertyRules.require(
                    maxAttempts >= 1 && maxAttempts <= MOST_ATTEMPTS,
                    prefix + "max-attempts",
                    maxAttempts,
                    "It must be 1 to " + MOST_ATTEMPTS + ".");
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
     * How requests are sent.
     *
     * @param connectTimeout How long an address of the receiver may take to accept a connection, and again for TLS.
     * @param requestTimeout How long one attempt may take, from DNS to the last byte of the answer.
     * @param sslBundle Name of the SSL bundle with the certificates to trust and to present; by default those that the
     *     JDK trusts.
     */
    public record Http(
            @DefaultValue("5s") Duration connectTimeout,
            @DefaultValue("15s") Duration requestTimeout,
            @Nullable String sslBundle) {

        /** An empty name is none. */
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
