package io.credential.spring.autoconfigure.webhook;

import java.util.List;
import java.util.stream.Stream;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.properties.WebhookProperties;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * Raises the header limit of Tomcat and Jetty, which requests with post-quantum signatures often exceed. Runs after
 * other customizers and never lowers the limit. If it raises the limit, it lowers the maximum number of connections,
 * unless the application configures that number.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
final class HeaderLimitConfiguration {

    @Bean
    HeaderLimit credentialHeaderLimit(
            WebhookProperties properties, WebhookVerifiers verifiers, Environment environment) {
        return new HeaderLimit(properties, verifiers, environment);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableTomcatWebServerFactory.class, Connector.class})
    static class Tomcat {

        private static final String MAX_CONNECTIONS = "server.tomcat.max-connections";

        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> credentialTomcatHeaderLimit(HeaderLimit limit) {
            return factory -> limit.needed()
                    .ifPresent(bytes -> factory.addConnectorCustomizers(
                            connector -> raise(connector, bytes, !limit.hasConnections(MAX_CONNECTIONS))));
        }

        private static void raise(Connector connector, int bytes, boolean lowerConnections) {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http
                    && http.getMaxHttpRequestHeaderSize() < bytes) {
                http.setMaxHttpRequestHeaderSize(bytes);
                int most = HeaderLimit.connections(bytes);
                boolean exceeds = http.getMaxConnections() < 0 || http.getMaxConnections() > most;
                if (lowerConnections && exceeds) {
                    http.setMaxConnections(most);
                }
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableJettyWebServerFactory.class, Server.class})
    static class Jetty {

        private static final String MAX_CONNECTIONS = "server.jetty.max-connections";

        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> credentialJettyHeaderLimit(HeaderLimit limit) {
            return factory -> limit.needed()
                    .ifPresent(bytes -> factory.addServerCustomizers(
                            server -> raise(server, bytes, !limit.hasConnections(MAX_CONNECTIONS))));
        }

        private static void raise(Server server, int bytes, boolean limitConnections) {
            List<HttpConfiguration> lower = Stream.of(server.getConnectors())
                    .flatMap(connector -> connector.getConnectionFactories().stream())
                    .filter(HttpConfiguration.ConnectionFactory.class::isInstance)
                    .map(factory -> ((HttpConfiguration.ConnectionFactory) factory).getHttpConfiguration())
                    .filter(http -> http.getRequestHeaderSize() < bytes)
                    .toList();
            lower.forEach(http -> http.setRequestHeaderSize(bytes));
            if (limitConnections && !lower.isEmpty()) {
                server.addBean(new NetworkConnectionLimit(HeaderLimit.connections(bytes), server));
            }
        }
    }
}
