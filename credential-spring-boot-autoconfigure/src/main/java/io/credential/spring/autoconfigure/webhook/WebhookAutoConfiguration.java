package io.credential.spring.autoconfigure.webhook;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ResourceLoader;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.spring.autoconfigure.SoleBean;
import io.credential.spring.autoconfigure.WebhookInboundProperties;
import io.credential.spring.autoconfigure.WebhookProperties.NonceStoreKind;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.RejectionCountReporter;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.egress.Egress;
import io.credential.spring.autoconfigure.egress.EgressConfiguration;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.WebhookSigners;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * The signers and verifiers that are configured; without any, both are there and empty.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            CredentialAutoConfiguration.class,
            CredentialDatabaseAutoConfiguration.class,
            AuditAutoConfiguration.class
        })
@EnableConfigurationProperties(CredentialProperties.class)
@Import({EgressConfiguration.class, RejectionCountReporter.class})
public final class WebhookAutoConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    WebhookSigners credentialWebhookSigners(
            CredentialProperties properties,
            ResourceLoader resources,
            @CredentialClock ObjectProvider<InstantSource> clocks,
            ObjectProvider<AuditSink> auditSinks,
            Egress egress,
            ObjectProvider<SslBundles> sslBundles) {
        SignerHttp http = new SignerHttp(egress, sslBundles);
        SignerFactory factory = new SignerFactory(
                new KeyLoader(resources),
                SoleBean.clock(clocks),
                new SecureRandom(),
                SoleBean.of(auditSinks, AuditSink.class).orElseGet(AuditSink::none),
                http);
        Map<String, WebhookSigner> signers = new HashMap<>();
        properties.webhook().signers().forEach((name, signer) -> signers.put(name, factory.signer(name, signer)));
        return new ConfiguredSigners(signers, http);
    }

    @Bean
    @ConditionalOnMissingBean
    WebhookVerifiers credentialWebhookVerifiers(
            CredentialProperties properties, VerifierFactory factory, RejectionCountReporter reporter) {
        Map<String, WebhookVerifier> verifiers = new HashMap<>();
        properties.webhook().inbound().forEach((name, inbound) -> {
            if (!VerifierFactory.isProcessor(inbound)) {
                verifiers.put(name, factory.verifier(name, inbound));
            }
        });
        // Closed, a verifier reports what it counted, and goes on verifying.
        verifiers.values().forEach(verifier -> reporter.add(verifier::close));
        return new ConfiguredVerifiers(verifiers);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessorSignatures credentialProcessorSignatures(
            CredentialProperties properties, VerifierFactory factory, RejectionCountReporter reporter) {
        Map<String, ProcessorSignature> signatures = new HashMap<>();
        properties.webhook().inbound().forEach((name, inbound) -> {
            if (VerifierFactory.isProcessor(inbound)) {
                signatures.put(name, factory.processor(name, inbound));
            }
        });
        signatures.values().forEach(signature -> reporter.add(signature::close));
        return new ConfiguredProcessorSignatures(signatures);
    }

    @Bean
    VerifierFactory credentialVerifierFactory(
            CredentialProperties properties,
            ObjectProvider<CredentialDatabase> databases,
            ObjectProvider<RedisNonces> redis,
            ResourceLoader resources,
            @CredentialClock ObjectProvider<InstantSource> clocks,
            ObjectProvider<AuditSink> auditSinks) {
        warnOfReplays(properties.webhook().inbound());
        InstantSource clock = SoleBean.clock(clocks);
        return new VerifierFactory(
                new KeyLoader(resources),
                new NonceStoreSelection(databases, redis, clock),
                clock,
                SoleBean.of(auditSinks, AuditSink.class).orElseGet(AuditSink::none));
    }

    private static void warnOfReplays(Map<String, WebhookInboundProperties> inbound) {
        List<String> names = inbound.entrySet().stream()
                .filter(entry -> entry.getValue().nonceStore() == NonceStoreKind.NONE)
                .map(Map.Entry::getKey)
                .toList();
        if (!names.isEmpty()) {
            LOG.warn(
                    "The incoming webhooks {} have no nonce store: whoever records a request can repeat it until its"
                            + " timestamp expires. Set 'credential.webhook.inbound.<name>.nonce-store' to 'jdbc',"
                            + " 'redis' or 'memory'.",
                    names);
        }
    }

    /** A key that cannot be used stops the start, not the first webhook. */
    @Bean
    static LazyInitializationExcludeFilter credentialWebhooksEagerFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(
                WebhookSigners.class, WebhookVerifiers.class, ProcessorSignatures.class);
    }
}
