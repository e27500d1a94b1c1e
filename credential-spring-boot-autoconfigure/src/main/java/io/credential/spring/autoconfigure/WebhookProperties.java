package io.credential.spring.autoconfigure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is configured under {@code credential.webhook}. Immutable.
 *
 * @param dispatcher the durable dispatcher of outgoing webhooks
 * @param signers Signers of outgoing webhooks by their name.
 * @param inbound Incoming webhooks by their name; requests to their paths are let through only when their signature
 *     verifies.
 * @since 0.1.0
 */
public record WebhookProperties(
        @DefaultValue @NestedConfigurationProperty WebhookDispatcherProperties dispatcher,
        @DefaultValue Map<String, WebhookSignerProperties> signers,
        @DefaultValue Map<String, WebhookInboundProperties> inbound) {

    static final String PREFIX = "credential.webhook.";

    /** Checks each by the name of its property. */
    public WebhookProperties {
        signers = Collections.unmodifiableMap(new LinkedHashMap<>(signers));
        inbound = Collections.unmodifiableMap(new LinkedHashMap<>(inbound));
        signers.forEach((name, signer) -> signer.check(PREFIX + "signers." + name));
        inbound.forEach((name, webhook) -> webhook.check(PREFIX + "inbound." + name));
    }

    /** How requests are signed. */
    public enum Algorithm {
        /** HMAC with SHA3-512. */
        HMAC_SHA3_512,
        /** A post-quantum signature: ML-DSA-65, ML-DSA-87 or SLH-DSA-SHAKE-256f, as the keys say. */
        PQC_PEM,
        /** HMAC with SHA-256 in the manner of payment processors; for incoming webhooks only. */
        HMAC_SHA256_PROCESSOR;

        /** As it is written in properties and in headers. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Where the ids of accepted deliveries are remembered. */
    public enum NonceStoreKind {
        /** Nowhere: a request passes again until its timestamp expires. */
        NONE,
        /** In the memory of this node, whose restart forgets them; not in cluster mode. */
        MEMORY,
        /** In the database, for all nodes. */
        JDBC,
        /** In Redis, for all nodes that share it. */
        REDIS
    }
}
