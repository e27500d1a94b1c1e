package io.credential.spring.autoconfigure.properties;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;

/**
 * Configuration properties for signers and incoming webhooks. Immutable.
 *
 * @param signers Signers of outgoing webhooks by name.
 * @param inbound Incoming webhooks by the name of the sender; requests to their paths require a valid signature.
 * @since 0.1.0
 */
@ConfigurationProperties("credential.webhook")
public record WebhookProperties(
        @DefaultValue Map<String, WebhookSignerProperties> signers,
        @DefaultValue Map<String, WebhookInboundProperties> inbound) {

    private static final String PREFIX = "credential.webhook.";

    public WebhookProperties {
        signers = Collections.unmodifiableMap(new LinkedHashMap<>(signers));
        inbound = Collections.unmodifiableMap(new LinkedHashMap<>(inbound));
        signers.forEach((name, signer) -> signer.check(PREFIX + "signers." + name));
        inbound.forEach((name, webhook) -> webhook.check(PREFIX + "inbound." + name));
    }

    /**
     * Requires stores of nonces that all nodes share.
     *
     * @throws org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException if a webhook
     *     keeps them in memory in cluster mode
     */
    public void requireSharedNonces(Mode mode) {
        inbound.forEach((name, webhook) -> PropertyRules.require(
                mode == Mode.SINGLE || webhook.nonceStore() != NonceStoreKind.MEMORY,
                PREFIX + "inbound." + name + ".nonce-store",
                "memory",
                "In cluster mode, a node would accept what another has already accepted. Use 'jdbc' or 'redis'."));
    }

    /** The signature algorithms. */
    public enum Algorithm {
        /** HMAC with SHA3-512. */
        HMAC_SHA3_512,
        /** A post-quantum signature: ML-DSA-65, ML-DSA-87 or SLH-DSA-SHAKE-256f, depending on the key. */
        PQC_PEM,
        /** Processor-style HMAC with SHA-256, only for incoming webhooks. */
        HMAC_SHA256_PROCESSOR;

        /** Returns the name in properties and headers. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Where the ids of accepted requests are stored. */
    public enum NonceStoreKind {
        /** Nowhere: a request can be repeated until its timestamp expires. */
        NONE,
        /** In the memory of this node, until it stops; not allowed in cluster mode. */
        MEMORY,
        /** In the database, for all nodes. */
        JDBC,
        /** In Redis, for all nodes that share it. */
        REDIS
    }
}
