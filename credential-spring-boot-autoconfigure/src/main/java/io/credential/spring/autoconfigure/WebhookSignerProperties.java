package io.credential.spring.autoconfigure;

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
        @DefaultValue("true") boolean auditFailures) {

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
    }
}
