package io.credential.spring.autoconfigure.webhook;

import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.webhook.signature.WebhookVerifiers;

/**
 * Lets requests with post-quantum signatures through Tomcat and Jetty, whose limit for headers many of them exceed. Runs
 * after whatever else sets that limit, and never lowers it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = WebhookAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnConfiguredInbound
public final class HeaderLimitAutoConfiguration {

    @Bean
    HeaderLimit credentialHeaderLimit(
            CredentialProperties properties, WebhookVerifiers verifiers, Environment environment) {
        return new HeaderLimit(properties, verifiers, environment);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableTomcatWebServerFactory.class, Connector.class})
    static class Tomcat {

        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> credentialTomcatHeaderLimit(HeaderLimit limit) {
            return factory -> limit.needed()
                    .ifPresent(bytes -> factory.addConnectorCustomizers(connector -> raise(connector, bytes)));
        }

        private static void raise(Connector connector, int bytes) {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                http.setMaxHttpRequestHeaderSize(Math.max(http.getMaxHttpRequestHeaderSize(), bytes));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ConfigurableJettyWebServerFactory.class, Server.class})
    static class Jetty {

        @Bean
        @Order
        WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> credentialJettyHeaderLimit(HeaderLimit limit) {
            return factory ->
                    limit.needed().ifPresent(bytes -> factory.addServerCustomizers(server -> raise(server, bytes)));
        }

        private static void raise(Server server, int bytes) {
            for (var connector : server.getConnectors()) {
                connector.getConnectionFactories().stream()
                        .filter(HttpConfiguration.ConnectionFactory.class::isInstance)
                        .map(factory -> ((HttpConfiguration.ConnectionFactory) factory).getHttpConfiguration())
                        .forEach(http -> http.setRequestHeaderSize(Math.max(http.getRequestHeaderSize(), bytes)));
            }
        }
    }
}
