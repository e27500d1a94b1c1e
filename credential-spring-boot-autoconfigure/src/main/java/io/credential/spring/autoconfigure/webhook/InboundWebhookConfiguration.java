package io.credential.spring.autoconfigure.webhook;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.HttpServletRequest;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.diagnostics.internal.Library;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.WebhookInboundProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.spring.webhook.WebhookHandshake;
import io.credential.spring.webhook.internal.FormLimits;
import io.credential.spring.webhook.internal.InboundWebhook;
import io.credential.spring.webhook.internal.SignatureCheck;
import io.credential.spring.webhook.internal.VerificationTurns;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.spring.webhook.internal.WebhookStore;
import io.credential.webhook.signature.ProcessorSignatures;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * Protects the paths of incoming webhooks in a servlet application, with or without Spring Security.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
final class InboundWebhookConfiguration {

    /** After filters that set encodings and observe requests, before filters that read bodies or authenticate. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    @Bean
    @Lazy(false) // a handshake without a sender fails at startup, even if none is configured
    HandshakeSelection credentialHandshakeSelection(
            ObjectProvider<WebhookHandshake> beans, WebhookProperties properties) {
        return new HandshakeSelection(
                beans.orderedStream().toList(), properties.inbound().keySet());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
    static class Guard {

        private static final String SECURITY_FILTER = "springSecurityFilterChain";

        /** Defines no bean of type Filter, which would be registered a second time. */
        @Bean
        FilterRegistrationBean<WebhookSignatureFilter> credentialWebhookSignatureFilter(
                WebhookProperties properties,
                WebhookVerifiers verifiers,
                ProcessorSignatures processors,
                HandshakeSelection handshakes,
                ObjectProvider<WebhookStore> stores,
                ListableBeanFactory beans,
                Environment environment) {
            requireSeparatePaths(properties.inbound());
            FilterRegistrationBean<WebhookSignatureFilter> registration = new FilterRegistrationBean<>(filter(
                    webhooks(properties, verifiers, processors, handshakes, stores),
                    authorized(beans),
                    formLimits(environment, beans)));
            registration.setName("credentialWebhookSignatureFilter");
            registration.setOrder(ORDER);
            return registration;
        }

        /**
         * Rejects overlapping patterns: the filter matches more leniently than controllers, so one sender could sign a request
         * that reaches the controller of another.
         */
        private static void requireSeparatePaths(Map<String, WebhookInboundProperties> inbound) {
            Map<String, String> senders = new LinkedHashMap<>();
            inbound.forEach((name, webhook) -> {
                senders.forEach((other, otherName) -> webhook.paths().stream()
                        .filter(path -> PatternOverlap.exists(path, other))
                        .forEach(path -> {
                            throw overlapping(otherName, other, name, path);
                        }));
                webhook.paths().forEach(path -> senders.put(path, name));
            });
        }

        private static CredentialConfigurationException overlapping(
                String first, String firstPath, String second, String secondPath) {
            return new CredentialConfigurationException(
                    "A request can match both '" + firstPath + "' of 'credential.webhook.inbound." + first + "' and '"
                            + secondPath + "' of 'credential.webhook.inbound." + second
                            + "': one sender could sign for the other.",
                    "Change 'credential.webhook.inbound." + second + ".paths' or those of '" + first
                            + "' so that they have no request in common. Upper and lower case, and repeated slashes,"
                            + " make no difference.");
        }

        private static Predicate<HttpServletRequest> authorized(ListableBeanFactory beans) {
            return beans.containsBean(SECURITY_FILTER)
                    ? new AuthorizedRequests(() -> beans.getBean(SECURITY_FILTER))
                    : request -> false;
        }

        /** Forms have the limits that the server would apply. */
        private static FormLimits formLimits(Environment environment, ListableBeanFactory beans) {
            int limit = environment.getProperty(
                    "server.tomcat.max-parameter-count",
                    Integer.class,
                    environment.getProperty("server.jetty.max-form-keys", Integer.class, 1000));
            return new FormLimits(
                    limit < 0 ? Integer.MAX_VALUE : limit,
                    beans.getBeanProvider(MultipartConfigElement.class).getIfAvailable());
        }

        private static WebhookSignatureFilter filter(
                List<InboundWebhook> webhooks, Predicate<HttpServletRequest> authorized, FormLimits formLimits) {
            try {
                return new WebhookSignatureFilter(webhooks, authorized, formLimits);
            } catch (IllegalArgumentException e) {
                throw new CredentialConfigurationException(
                        "The paths under 'credential.webhook.inbound' cannot be used: " + e.getMessage() + ".",
                        "Correct 'credential.webhook.inbound.<name>.paths'.",
                        e);
            }
        }

        private static List<InboundWebhook> webhooks(
                WebhookProperties properties,
                WebhookVerifiers verifiers,
                ProcessorSignatures processors,
                HandshakeSelection handshakes,
                ObjectProvider<WebhookStore> stores) {
            VerificationTurns turns =
                    VerificationTurns.onHalfOf(Runtime.getRuntime().availableProcessors());
            List<InboundWebhook> webhooks = new ArrayList<>();
            properties.inbound().forEach((name, inbound) -> {
                webhooks.add(new InboundWebhook(
                        name,
                        inbound.paths(),
                        Set.copyOf(inbound.methods()),
                        inbound.isProcessor()
                                ? SignatureCheck.of(processors.get(name))
                                : bounded(verifiers.get(name), turns),
                        inbound.maxBodySize().toBytes(),
                        !inbound.isProcessor() && verifiers.get(name).isEncodedBodySigned(),
                        handshakes.select(name, inbound),
                        inbound.storeFirst() ? store(name, stores) : null));
            });
            return webhooks;
        }

        /** Found at the first webhook: in a test slice without a database, there is none. */
        private static WebhookStore store(String name, ObjectProvider<WebhookStore> stores) {
            if (!Library.INBOX.isPresent()) {
                throw new CredentialConfigurationException(
                        "'credential.webhook.inbound." + name + ".store-first' is true, but nothing stores webhooks.",
                        Library.INBOX.remedy());
            }
            return (webhook, body) -> stores.getObject().store(webhook, body);
        }

        static SignatureCheck bounded(WebhookVerifier verifier, VerificationTurns turns) {
            SignatureCheck check = SignatureCheck.of(verifier);
            return verifier.isCostly() ? turns.bounding(check) : check;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
    @ConditionalOnClass(HttpSecurity.class)
    static class Security {

        /** Lets every chain authorize verified webhooks like other authenticated requests. */
        @Bean
        Customizer<HttpSecurity> credentialVerifiedWebhooksInEveryChain() {
            return http -> http.with(new VerifiedWebhooks(), Customizer.withDefaults());
        }

        private static final class VerifiedWebhooks extends AbstractHttpConfigurer<VerifiedWebhooks, HttpSecurity> {

            /**
             * Adds the filter twice: before the CSRF check and all other mechanisms, and after them, so that none of
             * them replaces the sender's identity or adds a session.
             */
            @Override
            public void configure(HttpSecurity http) {
                VerifiedWebhookFilter filter =
                        postProcess(new VerifiedWebhookFilter(getSecurityContextHolderStrategy()));
                http.addFilterBefore(filter, CsrfFilter.class);
                http.addFilterBefore(filter, AuthorizationFilter.class);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
    @ConditionalOnClass(RequestMappingHandlerAdapter.class)
    static class Mappings {

        @Bean
        InboundMappingCheck credentialInboundMappingCheck(WebApplicationContext context, WebhookProperties properties) {
            return new InboundMappingCheck(context, properties.inbound());
        }
    }
}
