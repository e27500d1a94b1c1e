package io.credential.spring.autoconfigure.webhook;

import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.webhook.WebhookHandshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which handshake a sender has. */
class HandshakeSelectionTests {

    @Test
    void beanWhenSenderIsNotConfiguredThenRefused() {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> new HandshakeSelection(List.of(new Handshake("meta")), Set.of("partner")))
                .withMessageContaining("'meta'")
                .withMessageContaining(Handshake.class.getName());
    }

    /** The filter does not exist then. */
    @Test
    void startWhenNoSenderIsConfiguredThenExplained() {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CredentialAutoConfiguration.class, WebhookAutoConfiguration.class))
                .withPropertyValues("credential.webhook.dispatcher.enabled=false")
                .withUserConfiguration(OfMeta.class)
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(Analyses.of(context.getStartupFailure())).satisfies(analysis -> {
                        assertThat(analysis.getDescription()).contains("'meta'", "not configured");
                        assertThat(analysis.getAction()).contains("credential.webhook.inbound.meta");
                    });
                });
    }

    @Test
    void beansWhenTwoHaveOneSenderThenRefused() {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> new HandshakeSelection(
                        List.of(new Handshake("meta"), new Handshake("meta")), Set.of("meta", "partner")))
                .withMessageContaining("Two WebhookHandshake beans are for the sender 'meta'");
    }

    @Configuration(proxyBeanMethods = false)
    static class OfMeta {

        @Bean
        WebhookHandshake meta() {
            return new Handshake("meta");
        }
    }

    private record Handshake(String sender) implements WebhookHandshake {

        @Override
        public Set<String> methods() {
            return Set.of("GET");
        }
    }
}
