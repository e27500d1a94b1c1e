package io.credential.spring.autoconfigure.internal.condition;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.SimpleBeanDefinitionRegistry;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.mock.env.MockEnvironment;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class BuildTimeConditionsTests {

    private static final String CHECK = "credentialBuildTimeConditionsCheck";

    private static final Map<String, String> AT_BUILD_TIME =
            Map.of("credential.api-keys.registries.live.prefix", "bk", "credential.mode", "single");

    @AfterEach
    void endProcessing() {
        SpringProperties.setProperty(AbstractAotProcessor.AOT_PROCESSING, null);
    }

    @Test
    void registerWhenNotProcessedThenChecksNothing() {
        assertThat(registered(AT_BUILD_TIME).containsBeanDefinition(CHECK)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "credential.api-keys.registries.live.prefix, other",
        "credential.keyring.location, ephemeral:",
        "credential.api-keys.cache.enabled, true",
        "credential.webhook.signers.partner.keys.v1, secret"
    })
    void startWhenDecisionsAreSameThenSucceeds(String property, String value) {
        assertThatNoException().isThrownBy(() -> startWith(property, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "credential.mode | cluster | 'credential.mode' (single at build time, cluster now)",
                "credential.webhook.dispatcher.enabled | false"
                        + " | 'credential.webhook.dispatcher.enabled' (true at build time, false now)",
                "credential.webhook.dispatcher.operational-events.enabled | true"
                        + " | 'credential.webhook.dispatcher.operational-events.enabled' (false at build time, true now)",
                "credential.audit.jdbc.enabled | true"
                        + " | 'credential.audit.jdbc.enabled' (false at build time, true now)",
                "credential.api-keys.usage.enabled | true"
                        + " | 'credential.api-keys.usage.enabled' (false at build time, true now)",
                "credential.webhook.inbound.partner.paths | /hooks"
                        + " | inbound webhooks (not configured at build time, configured now)",
                "credential.api-keys.registries.test.prefix | bk"
                        + " | single registry (configured at build time, not configured now)"
            },
            quoteCharacter = '"')
    void startWhenDecisionDiffersThenFails(String property, String value, String difference) {
        assertThatExceptionOfType(CredentialConfigurationException.class)
                .isThrownBy(() -> startWith(property, value))
                .withMessageContaining(difference)
                .withMessageContaining("Build the application again");
    }

    /** As generated code does it: with what was recorded at build time, in another environment. */
    private static void startWith(String property, String value) {
        SpringProperties.setFlag(AbstractAotProcessor.AOT_PROCESSING);
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition(CHECK, registered(AT_BUILD_TIME).getBeanDefinition(CHECK));
        beans.registerSingleton("environment", environment(AT_BUILD_TIME).withProperty(property, value));

        beans.getBean(BuildTimeConditions.Check.class).postProcessBeanFactory(beans);
    }

    private static BeanDefinitionRegistry registered(Map<String, String> properties) {
        BeanDefinitionRegistry registry = new SimpleBeanDefinitionRegistry();
        new BuildTimeConditions(environment(properties))
                .registerBeanDefinitions(AnnotationMetadata.introspect(Environment.class), registry);
        return registry;
    }

    private static MockEnvironment environment(Map<String, String> properties) {
        MockEnvironment environment = new MockEnvironment();
        properties.forEach(environment::setProperty);
        return environment;
    }
}
