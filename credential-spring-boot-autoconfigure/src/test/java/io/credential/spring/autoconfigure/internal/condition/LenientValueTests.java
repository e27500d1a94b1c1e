package io.credential.spring.autoconfigure.internal.condition;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.event.WebhookEventAutoConfiguration;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Conditions accept the same spellings of a value as the properties: otherwise, a feature would silently be missing. */
class LenientValueTests {

    @TempDir
    private Path directory;

    @AutoClose
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @ParameterizedTest
    @CsvSource({
        "credential.audit.jdbc.enabled, 1, credentialAuditLog",
        "credential.webhook.dispatcher.enabled, on, credentialWebhookDispatcher",
        "credential.webhook.dispatcher.enabled, yes, credentialApplicationDispatchers",
        "credential.webhook.dispatcher.enabled, 1, credentialWebhookEventCatalog",
        "credential.webhook.dispatcher.operational-events.enabled, yes, credentialApiKeyEvents"
    })
    void featureWhenValueIsLenientThenConfigured(String property, String value, String bean) {
        StarterRunner.on(database, directory)
                .withConfiguration(AutoConfigurations.of(WebhookEventAutoConfiguration.class))
                .withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).hasNotFailed().hasBean(bean));
    }

    @ParameterizedTest
    @ValueSource(strings = {"credentialLeadershipEvents", "credentialNodePresence"})
    void modeWhenVariableIsEmptyThenSingleNode(String bean) {
        StarterRunner.on(database, directory)
                .withInitializer(with(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of("CREDENTIAL_MODE", ""))))
                .run(context -> assertThat(context).hasNotFailed().hasBean(bean));
    }

    @ParameterizedTest
    @ValueSource(strings = {"credentialClusterKeys", "credentialLeadershipHandover", "credentialNodeNotifications"})
    void modeWhenValueIsPaddedThenCluster(String bean) {
        StarterRunner.on(database, directory).run(context -> assertThat(context).hasNotFailed());

        StarterRunner.on(database, directory)
                .withInitializer(with(new MapPropertySource("padded", Map.of("credential.mode", "cluster "))))
                .run(context -> assertThat(context).hasNotFailed().hasBean(bean));
    }

    private static ApplicationContextInitializer<ConfigurableApplicationContext> with(PropertySource<?> source) {
        return context -> context.getEnvironment().getPropertySources().addFirst(source);
    }

    @Test
    void startWhenModeIsInvalidThenNamesTheProperty() {
        withoutDatabase()
                .withPropertyValues("credential.mode=neither", "credential.api-keys.registries.live.prefix=bk")
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("'credential.mode'"));
    }

    @Test
    void startWhenSwitchIsInvalidThenNamesTheProperty() {
        withoutDatabase()
                .withPropertyValues("credential.audit.jdbc.enabled=neither")
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains("'credential.audit.jdbc.enabled'"));
    }

    private static ApplicationContextRunner withoutDatabase() {
        return StarterRunner.bare().withClassLoader(new FilteredClassLoader("org.h2", "org.sqlite"));
    }
}
