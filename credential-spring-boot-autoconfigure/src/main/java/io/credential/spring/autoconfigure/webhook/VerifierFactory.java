package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;
import java.util.Objects;

import io.credential.audit.AuditSink;
import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.audit.RejectionCountReporter;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookKey;
import io.credential.spring.autoconfigure.properties.WebhookProperties.Algorithm;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookVerifier;

/** Creates verifiers of incoming webhooks from properties, and has the rejections that they count reported. */
final class VerifierFactory {

    private final KeyLoader keys;
    private final NonceStoreSelection nonceStores;
    private final InstantSource clock;
    private final AuditSink audit;
    private final RejectionCountReporter reporter;
    private final KeyOwners owners = new KeyOwners();

    VerifierFactory(
            KeyLoader keys,
            NonceStoreSelection nonceStores,
            InstantSource clock,
            AuditSink audit,
            RejectionCountReporter reporter) {
        this.keys = keys;
        this.nonceStores = nonceStores;
        this.clock = clock;
        this.audit = audit;
        this.reporter = reporter;
    }

    static boolean isProcessor(WebhookInboundProperties properties) {
        return properties.algorithm() == Algorithm.HMAC_SHA256_PROCESSOR;
    }

    WebhookVerifier verifier(String name, WebhookInboundProperties properties) {
        String property = property(name);
        try {
            WebhookVerifier.Builder builder = WebhookVerifier.builder()
                    .name(name)
                    .algorithm(properties.algorithm().text())
                    .pqcAlgorithm(properties.pqcAlgorithm())
                    .tolerance(properties.tolerance())
                    .clockSkew(properties.clockSkew())
                    .signatureHeader(properties.effectiveSignatureHeader())
                    .clock(clock)
                    .audit(audit)
                    .auditSuccess(properties.auditSuccess())
                    .auditFailures(properties.auditFailures());
            nonceStores
                    .select(property + ".nonce-store", properties.nonceStore())
                    .ifPresent(builder::nonceStore);
            properties.keys().forEach((kid, key) -> add(builder, property + ".keys." + kid, kid, key));
            WebhookVerifier verifier = builder.build();
            // close() reports what was counted; the verifier can still be used.
            reporter.add(verifier::close);
            verifier.keyIdentities().forEach((kid, key) -> owners.claim(name, kid, key));
            return verifier;
        } catch (WebhookException e) {
            throw CredentialConfigurationException.refused(property, e.code(), e);
        }
    }

    ProcessorSignature processor(String name, WebhookInboundProperties properties) {
        String property = property(name);
        try {
            ProcessorSignature.Builder builder = ProcessorSignature.builder()
                    .name(name)
                    .tolerance(properties.tolerance())
                    .clockSkew(properties.clockSkew())
                    .signatureHeader(properties.effectiveSignatureHeader())
                    .clock(clock)
                    .audit(audit)
                    .auditSuccess(properties.auditSuccess())
                    .auditFailures(properties.auditFailures());
            nonceStores
                    .select(property + ".nonce-store", properties.nonceStore())
                    .ifPresent(builder::nonceStore);
            properties
                    .keys()
                    .forEach((kid, key) -> keys.load(
                            property + ".keys." + kid, Objects.requireNonNull(key.secret()), builder::secret));
            ProcessorSignature processor = builder.build();
            reporter.add(processor::close);
            properties.keys().keySet().forEach(kid -> owners.claim(name, kid, processor.keyIdentity()));
            return processor;
        } catch (WebhookException e) {
            throw CredentialConfigurationException.refused(property, e.code(), e);
        }
    }

    private void add(WebhookVerifier.Builder builder, String property, String kid, WebhookKey key) {
        SecretBytes secret = key.secret();
        if (secret != null) {
            keys.load(property, secret, bytes -> builder.key(kid, bytes));
        } else { // the properties were refused if it is missing
            SecretBytes publicKey = Objects.requireNonNull(key.publicKey());
            keys.load(property + ".public-key", publicKey, bytes -> builder.key(kid, bytes));
        }
    }

    private static String property(String name) {
        return "credential.webhook.inbound." + name;
    }
}
