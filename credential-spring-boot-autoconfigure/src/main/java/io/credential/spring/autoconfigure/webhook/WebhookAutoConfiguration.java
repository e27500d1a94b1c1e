package io.credential.spring.autoconfigure.webhook;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.audit.internal.RejectionCountReporter;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties.NonceStoreKind;
import io.credential.spring.autoconfigure.redis.internal.RedisNonces;
import io.credential.spring.autoconfigure.webhook.internal.KeyLoader;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;
import io.credential.webhook.signature.scheme.WebhookScheme;

/**
 * Configures signers and verifiers, which exist even if none is configured, and protects the paths of incoming webhooks
 * in a servlet application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            CredentialAutoConfiguration.class,
            CredentialDatabaseAutoConfiguration.class,
            AuditAutoConfiguration.class
        })
@ConditionalOnClass(WebhookVerifiers.class)
@EnableConfigurationProperties({CredentialProperties.class, WebhookProperties.class})
@Import({
    InboundWebhookConfiguration.class,
    HeaderLimitConfiguration.class,
    RejectionCountReporter.class,
    AuditQueue.class,
    SharedBeans.class
})
public final class WebhookAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookAutoConfiguration.class);
    private static final String INBOUND = "credential.webhook.inbound.";

    @Bean
    @Lazy(false) // an invalid key fails at startup, not at the first webhook
    @ConditionalOnMissingBean
    WebhookSigners credentialWebhookSigners(
            WebhookProperties properties,
            ResourceLoader resources,
            SharedBeans shared,
            AuditQueue auditQueue,
            BeanFactory beans) {
        SignerFactory factory = new SignerFactory(
                new KeyLoader(resources),
                shared.clock(),
                new SecureRandom(),
                auditQueue.inFrontOf(shared.auditSink()),
                CurrentActor.supplier(beans));
        Map<String, WebhookSigner> signers = new HashMap<>();
        properties.signers().forEach((name, signer) -> {
            String prefix = "credential.webhook.signers." + name;
            signers.put(name, Configured.requireValid(prefix, () -> factory.signer(prefix, name, signer)));
        });
        return new Configured<>(
                signers,
                name -> "No signer is named '" + name + "'; configure it with 'credential.webhook.signers." + name
                        + "'")::get;
    }

    @Bean
    @Lazy(false) // an invalid key fails at startup, not at the first webhook
    @ConditionalOnMissingBean
    WebhookVerifiers credentialWebhookVerifiers(
            WebhookProperties properties, VerifierFactory factory, ObjectProvider<WebhookScheme> beans) {
        SchemeSelection schemes = new SchemeSelection(beans.orderedStream().toList());
        Map<String, WebhookVerifier> verifiers = new HashMap<>();
        properties.inbound().forEach((name, inbound) -> {
            if (!inbound.isProcessor()) {
                String prefix = INBOUND + name;
                WebhookScheme scheme =
                        inbound.isForeign() ? schemes.select(prefix + ".scheme", inbound.scheme()) : null;
                verifiers.put(
                        name, Configured.requireValid(prefix, () -> factory.verifier(prefix, name, inbound, scheme)));
            }
        });
        return new Configured<>(
                verifiers,
                name -> "No verifier is named '" + name + "'; configure it with 'credential.webhook.inbound." + name
                        + "'. Those with the algorithm 'hmac-sha256-processor' are in ProcessorSignatures")::get;
    }

    @Bean
    @Lazy(false) // an invalid key fails at startup, not at the first webhook
    @ConditionalOnMissingBean
    ProcessorSignatures credentialProcessorSignatures(WebhookProperties properties, VerifierFactory factory) {
        Map<String, ProcessorSignature> signatures = new HashMap<>();
        properties.inbound().forEach((name, inbound) -> {
            if (inbound.isProcessor()) {
                String prefix = INBOUND + name;
                signatures.put(name, Configured.requireValid(prefix, () -> factory.processor(prefix, name, inbound)));
            }
        });
        return new Configured<>(
                signatures,
                name -> "No processor-style signature is named '" + name + "'; configure it with"
                        + " 'credential.webhook.inbound." + name + "' and the algorithm 'hmac-sha256-processor'")::get;
    }

    @Bean
    VerifierFactory credentialVerifierFactory(
            CredentialProperties credential,
            WebhookProperties properties,
            ObjectProvider<CredentialDatabase> databases,
            ObjectProvider<RedisNonces> redis,
            ResourceLoader resources,
            SharedBeans shared,
            AuditQueue auditQueue,
            RejectionCountReporter reporter,
            BeanFactory beans) {
        properties.requireSharedNonces(credential.mode());
        warnOfReplays(properties.inbound());
        InstantSource clock = shared.clock();
        return new VerifierFactory(
                new KeyLoader(resources),
                new NonceStoreSelection(databases, redis, clock),
                clock,
                auditQueue.inFrontOf(shared.auditSink()),
                CurrentActor.supplier(beans),
                shared.observations(),
                reporter);
    }

    private static void warnOfReplays(Map<String, WebhookInboundProperties> inbound) {
        List<String> names = inbound.entrySet().stream()
                .filter(entry -> entry.getValue().nonceStore() == NonceStoreKind.NONE
                        && !entry.getValue().storeFirst())
                .map(Map.Entry::getKey)
                .toList();
        if (!names.isEmpty()) {
            LOG.warn(
                    "The incoming webhooks {} have no nonce store: anyone who records a request can repeat it until its"
                            + " timestamp expires, or indefinitely if its format has none. Set 'credential.webhook.inbound.<name>.nonce-store' to 'jdbc',"
                            + " 'redis' or 'memory'.",
                    names);
        }
    }

    /** Warns that no filter protects the paths. */
    @Lazy(false)
    @Configuration(proxyBeanMethods = false)
    @Conditional(WithoutServlets.Condition.class)
    static class WithoutServlets {

        WithoutServlets(WebhookProperties properties) {
            if (!properties.inbound().isEmpty()) {
                LOG.warn("The paths under 'credential.webhook.inbound' are not protected, because this is not a servlet"
                        + " application. Add spring-boot-starter-webmvc, or verify requests with WebhookVerifiers.");
            }
        }

        static final class Condition extends NoneNestedConditions {

            Condition() {
                super(ConfigurationPhase.PARSE_CONFIGURATION);
            }

            @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
            static class Servlets {}
        }
    }
}
