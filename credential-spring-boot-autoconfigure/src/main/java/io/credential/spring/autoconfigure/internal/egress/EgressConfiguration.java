package io.credential.spring.autoconfigure.internal.egress;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

/**
 * Configures how the dispatcher and signers send, from the properties of the dispatcher, even if it is disabled.
 * Imported by auto-configurations of components that send.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({WebhookDispatcherProperties.class, WebhookProperties.class})
public class EgressConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(EgressConfiguration.class);

    @Bean
    Egress credentialEgress(
            WebhookDispatcherProperties configured,
            WebhookProperties webhooks,
            ObjectProvider<DestinationPolicy> policies,
            ObjectProvider<HostResolver> resolvers,
            ObjectProvider<WebhookTransport> transports) {
        Optional<WebhookTransport> transport = SharedBeans.sole(transports, WebhookTransport.class);
        transport.ifPresent(application -> warnOfIgnored(configured, webhooks));
        return new Egress(
                policy(
                        configured,
                        SharedBeans.sole(policies, DestinationPolicy.class).orElse(null)),
                SharedBeans.sole(resolvers, HostResolver.class).orElseGet(HostResolver::system),
                transport.orElse(null),
                configured.proxy().isEmpty() ? null : URI.create(configured.proxy()));
    }

    private static DestinationPolicy policy(
            WebhookDispatcherProperties configured, @Nullable DestinationPolicy application) {
        if (application == null) {
            return DestinationPolicy.builder()
                    .allowedProtocols(configured.allowedProtocols())
                    .allowInternalDestinations(configured.allowInternalDestinations())
                    .allowedCidrs(configured.allowedCidrs())
                    .build();
        }
        if (configured.allowInternalDestinations()
                || !configured.allowedCidrs().isEmpty()
                || configured.allowedProtocols().size() == 1) {
            LOG.warn("A bean of type DestinationPolicy decides where webhooks may go: 'allowed-protocols',"
                    + " 'allow-internal-destinations' and 'allowed-cidrs' of 'credential.webhook.dispatcher' are"
                    + " ignored. Remove the properties, or the bean");
        }
        return application;
    }

    private static void warnOfIgnored(WebhookDispatcherProperties dispatcher, WebhookProperties webhooks) {
        List<String> ignored = new ArrayList<>();
        if (!dispatcher.proxy().isEmpty()) {
            ignored.add("credential.webhook.dispatcher.proxy");
        }
        if (!dispatcher.sslBundle().isEmpty()) {
            ignored.add("credential.webhook.dispatcher.ssl-bundle");
        }
        webhooks.signers().forEach((name, signer) -> {
            if (signer.http().sslBundle() != null) {
                ignored.add("credential.webhook.signers." + name + ".http.ssl-bundle");
            }
        });
        if (!ignored.isEmpty()) {
            LOG.warn(
                    "A bean of type WebhookTransport sends all webhooks, and ignores {}. Remove the properties, or the bean",
                    ignored);
        }
    }
}
