package io.credential.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ByteArrayResource;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/** A registry with nothing but defaults, in every form in which one writes it. */
class RegistryWithoutOptionsTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    @ParameterizedTest
    @ValueSource(strings = {"live:", "live: {}", "live: ''", "live: {prefix: bk}"})
    void registryWhenItHasNoOptionsThenIsConfigured(String registry) {
        String yaml = "credential: {api-keys: {registries: {" + registry + "}}}";
        runner.withInitializer(context -> {
                    try {
                        new YamlPropertySourceLoader()
                                .load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                                .forEach(context.getEnvironment().getPropertySources()::addFirst);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ApiKeysProperties.class).registries())
                            .containsOnlyKeys("live");
                });
    }
}
