package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import io.micrometer.observation.ObservationRegistry;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.audit.internal.RejectionCountReporter;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.spring.autoconfigure.webhook.internal.KeyLoader;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.key.KeyIdentity;
import io.credential.webhook.signature.scheme.WebhookScheme;

/** Creates verifiers of incoming webhooks from properties, and registers their reports of counted rejections. */
final class VerifierFactory {

    private final KeyLoader keys;
    private final NonceStoreSelection nonceStores;
    private final InstantSource clock;
    private final AuditSink audit;
    private final AuditCaller caller;
    private final ObservationRegistry observations;
    private final RejectionCountReporter reporter;
    private final Map<KeyIdentity, KeyOwner> owners = new ConcurrentHashMap<>();

    VerifierFactory(
            KeyLoader keys,
            NonceStoreSelection nonceStores,
            InstantSource clock,
            AuditSink audit,
            AuditCaller caller,
            ObservationRegistry observations,
            RejectionCountReporter reporter) {
        this.keys = keys;
        this.nonceStores = nonceStores;
        this.clock = clock;
        this.audit = audit;
        this.caller = caller;
        this.observations = observations;
        this.reporter = reporter;
    }

    /**
     * @param property the prefix of the properties
     * @param scheme null for this library's own
     */
    WebhookVerifier verifier(
            String property, String name, WebhookInboundProperties properties, @Nullable WebhookScheme scheme) {
        WebhookVerifier.Builder builder = WebhookVerifier.builder()
                .name(name)
                .tolerance(properties.tolerance())
                .clockSkew(properties.clockSkew())
                .clock(clock)
                .observationRegistry(observations)
                .audit(audit)
                .auditCaller(caller)
                .auditSuccess(properties.auditSuccess())
                .auditFailures(properties.auditFailures());
        if (scheme != null) {
            builder.scheme(scheme);
        } else {
            builder.algorithm(properties.algorithm().text())
                    .pqcAlgorithm(properties.pqcAlgorithm())
                    .signatureHeader(properties.effectiveSignatureHeader());
        }
        nonceStores.select(property + ".nonce-store", properties.nonceStore()).ifPresent(builder::nonceStore);
        properties.keys().forEach((kid, key) -> add(builder, property + ".keys." + kid, kid, key));
        WebhookVerifier verifier = builder.build();
        // close() reports what was counted; the verifier can still be used.
        reporter.add(verifier::close);
        verifier.keyIdentities().forEach((kid, key) -> claim(name, kid, key));
        return verifier;
    }

    /**
     * @param property the prefix of the properties
     */
    ProcessorSignature processor(String property, String name, WebhookInboundProperties properties) {
        ProcessorSignature.Builder builder = ProcessorSignature.builder()
                .name(name)
                .tolerance(properties.tolerance())
                .clockSkew(properties.clockSkew())
                .signatureHeader(properties.effectiveSignatureHeader())
                .clock(clock)
                .observationRegistry(observations)
                .audit(audit)
                .auditCaller(caller)
                .auditSuccess(properties.auditSuccess())
                .auditFailures(properties.auditFailures());
        nonceStores.select(property + ".nonce-store", properties.nonceStore()).ifPresent(builder::nonceStore);
        properties
                .keys()
                .forEach((kid, key) ->
                        keys.load(property + ".keys." + kid, Objects.requireNonNull(key.secret()), builder::secret));
        ProcessorSignature processor = builder.build();
        reporter.add(processor::close);
        properties.keys().keySet().forEach(kid -> claim(name, kid, processor.keyIdentity()));
        return processor;
    }

    private void add(WebhookVerifier.Builder builder, String property, String kid, WebhookKey key) {
        SecretBytes secret = key.secret();
        if (secret != null) {
            keys.load(property, secret, bytes -> builder.key(kid, bytes));
        } else { // the properties are invalid if it is missing
            SecretBytes publicKey = Objects.requireNonNull(key.publicKey());
            keys.load(property + ".public-key", publicKey, bytes -> builder.key(kid, bytes));
        }
    }

    /** Rejects a key that two senders share, because each could sign for the other. */
    private void claim(String name, String kid, KeyIdentity key) {
        KeyOwner owner = owners.computeIfAbsent(key, unused -> new KeyOwner(name, kid));
        if (!owner.name().equals(name)) {
            throw new CredentialConfigurationException(
                    "The incoming webhooks '" + owner.name() + "' (kid '" + owner.kid() + "') and '" + name + "' (kid '"
                            + kid + "') have the same key: each sender could sign for the other.",
                    "Give 'credential.webhook.inbound." + name + ".keys." + kid + "' a different key.");
        }
    }

    private record KeyOwner(String name, String kid) {}
}
