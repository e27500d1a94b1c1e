package io.credential.spring.autoconfigure.sender;

import java.security.SecureRandom;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.egress.Egress;
import io.credential.spring.autoconfigure.internal.egress.EgressConfiguration;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.webhook.http.WebhookSender;

/**
 * Configures a sender for webhooks that are signed without the dispatcher. The bean exists even if no signer is
 * configured.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = {CredentialAutoConfiguration.class, AuditAutoConfiguration.class})
@ConditionalOnClass(WebhookSender.class)
@EnableConfigurationProperties(WebhookProperties.class)
@Import({EgressConfiguration.class, AuditQueue.class, SharedBeans.class})
public final class WebhookSenderAutoConfiguration {

    @Bean
    @Lazy(false) // an invalid SSL bundle fails at startup, not at the first webhook
    @ConditionalOnMissingBean
    WebhookSender credentialWebhookSender(
            WebhookProperties properties,
            SharedBeans shared,
            AuditQueue auditQueue,
            SignerHttp http,
            BeanFactory beans) {
        WebhookSender.Builder sender = WebhookSender.builder()
                .http(http.shared())
                .clock(shared.clock())
                .random(new SecureRandom())
                .audit(auditQueue.inFrontOf(shared.auditSink()))
                .auditCaller(CurrentActor.supplier(beans));
        properties
                .signers()
                .forEach((name, signer) ->
                        sender.signer(name, http.options("credential.webhook.signers." + name, signer)));
        return sender.build();
    }

    @Bean
    @Lazy // not needed if the application defines its own WebhookSender
    SignerHttp credentialSignerHttp(Egress egress, ObjectProvider<SslBundles> sslBundles) {
        return new SignerHttp(egress, sslBundles);
    }
}
