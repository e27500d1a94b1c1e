package io.credential.spring.autoconfigure.webhook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.config.annotation.web.configuration.WebSecurityCustomizer;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import jakarta.servlet.Filter;

import io.credential.spring.autoconfigure.CredentialConfigurationException;
import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.spring.autoconfigure.WebhookInboundProperties;
import io.credential.spring.autoconfigure.WebhookProperties.Algorithm;
import io.credential.spring.webhook.BoundedSignatureCheck;
import io.credential.spring.webhook.InboundWebhook;
import io.credential.spring.webhook.SignatureCheck;
import io.credential.spring.webhook.VerificationTurns;
import io.credential.spring.webhook.VerifiedWebhookArgumentResolver;
import io.credential.spring.webhook.WebhookSignatureFilter;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * Guards the paths of incoming webhooks in a servlet application, whether or not it has Spring Security.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = WebhookAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
public final class InboundWebhookAutoConfiguration {

    /** Behind the filters that set encodings and observe requests, ahead of any that reads a body or authenticates. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    /** How long a request waits for its turn to have a post-quantum signature verified. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** How many wait behind each that is verified: few enough to leave the server threads for other requests. */
    private static final int WAITING_EACH = 8;

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnConfiguredInbound
    static class Guard {

        /** The registration of a filter, and no filter: that one would be registered a second time. */
        @Bean
        FilterRegistrationBean<WebhookSignatureFilter> credentialWebhookSignatureFilter(
                CredentialProperties properties, WebhookVerifiers verifiers, VerifierFactory factory) {
            FilterRegistrationBean<WebhookSignatureFilter> registration =
                    new FilterRegistrationBean<>(filter(properties, verifiers, factory));
            registration.setName("credentialWebhookSignatureFilter");
            registration.setOrder(ORDER);
            return registration;
        }

        private static WebhookSignatureFilter filter(
                CredentialProperties properties, WebhookVerifiers verifiers, VerifierFactory factory) {
            int running = Math.max(2, Runtime.getRuntime().availableProcessors());
            VerificationTurns turns = new VerificationTurns(running, running * WAITING_EACH, MAX_WAIT);
            List<InboundWebhook> webhooks = new ArrayList<>();
            properties.webhook().inbound().forEach((name, inbound) -> {
                SignatureCheck check = VerifierFactory.isProcessor(inbound)
                        ? SignatureCheck.of(factory.processor(name, inbound), inbound.effectiveSignatureHeader())
                        : SignatureCheck.of(verifiers.get(name));
                webhooks.add(new InboundWebhook(
                        name,
                        inbound.paths(),
                        isCostly(inbound) ? new BoundedSignatureCheck(check, turns) : check,
                        inbound.maxBodySize().toBytes()));
            });
            try {
                return new WebhookSignatureFilter(webhooks);
            } catch (IllegalArgumentException e) {
                throw new CredentialConfigurationException(
                        "The paths under 'credential.webhook.inbound' cannot be used: " + e.getMessage() + ".",
                        "Correct 'credential.webhook.inbound.<name>.paths'.",
                        e);
            }
        }

        private static boolean isCostly(WebhookInboundProperties inbound) {
            return inbound.algorithm() == Algorithm.PQC_PEM;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnConfiguredInbound
    @ConditionalOnClass(WebSecurityCustomizer.class)
    static class OutOfTheWay {

        /**
         * Requests that were verified need no session, no CSRF token and no log-in, whatever the application's chains
         * say. It goes by what the filter has done and not by the path, so that nothing passes both.
         */
        @Bean
        WebSecurityCustomizer credentialVerifiedWebhooksPass() {
            return web -> web.ignoring().requestMatchers(new VerifiedRequestMatcher());
        }
    }

    /** Also where no webhook is configured: MVC would fill such an argument from the parameters of any request. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebMvcConfigurer.class)
    static class Arguments {

        @Bean
        WebMvcConfigurer credentialVerifiedWebhookArguments() {
            return new WebMvcConfigurer() {
                @Override
                public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                    resolvers.add(new VerifiedWebhookArgumentResolver());
                }
            };
        }
    }
}
