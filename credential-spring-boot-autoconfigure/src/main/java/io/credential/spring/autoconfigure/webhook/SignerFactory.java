package io.credential.spring.autoconfigure.webhook;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Objects;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.secret.SecretBytes;
import io.credential.spring.autoconfigure.properties.WebhookSignerProperties;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;
import io.credential.spring.autoconfigure.webhook.internal.KeyLoader;
import io.credential.webhook.signature.WebhookSigner;

/** Creates signers from properties. */
final class SignerFactory {

    private final KeyLoader keys;
    private final InstantSource clock;
    private final SecureRandom random;
    private final AuditSink audit;
    private final AuditCaller caller;

    SignerFactory(KeyLoader keys, InstantSource clock, SecureRandom random, AuditSink audit, AuditCaller caller) {
        this.keys = keys;
        this.clock = clock;
        this.random = random;
        this.audit = audit;
        this.caller = caller;
    }

    /**
     * @param property the prefix of the properties
     */
    WebhookSigner signer(String property, String name, WebhookSignerProperties properties) {
        WebhookSigner.Builder builder = WebhookSigner.builder()
                .name(name)
                .algorithm(properties.algorithm().text())
                .defaultKid(properties.defaultKid())
                .pqcAlgorithm(properties.pqcAlgorithm())
                .signatureHeader(properties.signatureHeader())
                .clock(clock)
                .random(random)
                .audit(audit)
                .auditCaller(caller)
                .auditSuccess(properties.auditSuccess())
                .auditFailures(properties.auditFailures());
        properties.keys().forEach((kid, key) -> add(builder, property + ".keys." + kid, kid, key));
        return builder.build();
    }

    private void add(WebhookSigner.Builder builder, String property, String kid, WebhookKey key) {
        SecretBytes secret = key.secret();
        if (secret != null) {
            keys.load(property, secret, bytes -> builder.key(kid, bytes));
        } else { // the properties are invalid if one is missing
            SecretBytes privateKey = Objects.requireNonNull(key.privateKey());
            SecretBytes publicKey = Objects.requireNonNull(key.publicKey());
            keys.load(
                    property + ".private-key",
                    privateKey,
                    bytes -> keys.load(
                            property + ".public-key", publicKey, others -> builder.keyPair(kid, bytes, others)));
        }
    }
}
