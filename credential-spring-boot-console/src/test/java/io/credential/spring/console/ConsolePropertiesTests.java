package io.credential.spring.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.autoconfigure.properties.ConsoleProperties.Authorities;

import static org.assertj.core.api.Assertions.assertThat;

/** How {@code credential.console.*} is bound. The library that describes the properties does not bind them without this one. */
class ConsolePropertiesTests {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    private static final Map<String, String> VALUES = Map.of(
            "credential.console.enabled", "true",
            "credential.console.path", "/ops/webhooks",
            "credential.console.read-only", "true",
            "credential.console.authorities.view", "A",
            "credential.console.authorities.payloads", "B",
            "credential.console.authorities.operate", "C",
            "credential.console.authorities.keys", "D",
            "credential.console.authorities.admin", "E");

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    @Test
    void bindWhenNothingIsConfiguredThenDefaults() {
        runner.run(context -> assertThat(context.getBean(ConsoleProperties.class))
                .isEqualTo(new ConsoleProperties(
                        false,
                        "/credential",
                        false,
                        new Authorities(
                                "CREDENTIAL_VIEW",
                                "CREDENTIAL_PAYLOADS",
                                "CREDENTIAL_OPERATE",
                                "CREDENTIAL_KEYS",
                                "CREDENTIAL_ADMIN"))));
    }

    @Test
    void bindWhenEveryPropertyIsSetThenHasItsValue() {
        assertThat(VALUES.keySet()).isEqualTo(described());

        runner.withPropertyValues(VALUES.entrySet().stream()
                        .map(value -> value.getKey() + "=" + value.getValue())
                        .toArray(String[]::new))
                .run(context -> assertThat(context.getBean(ConsoleProperties.class))
                        .isEqualTo(new ConsoleProperties(
                                true, "/ops/webhooks", true, new Authorities("A", "B", "C", "D", "E"))));
    }

    @ParameterizedTest
    @CsvSource({
        "credential.console.path, credential",
        "credential.console.path, /",
        "credential.console.path, /credential/",
        "credential.console.path, /a/../b",
        "credential.console.path, /a b",
        "credential.console.path, '/{id}'",
        "credential.console.path, /*",
        "credential.console.authorities.view, ''",
        "credential.console.authorities.payloads, ''",
        "credential.console.authorities.operate, ''",
        "credential.console.authorities.keys, ''",
        "credential.console.authorities.admin, ''"
    })
    void startWhenValueIsInvalidThenNamesTheProperty(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(property));
    }

    private static Set<String> described() {
        return ConsoleProperties.class
                .getClassLoader()
                .resources(METADATA)
                .map(ConsolePropertiesTests::read)
                .flatMap(metadata -> metadata.path("properties").valueStream())
                .map(property -> property.required("name").asString())
                .filter(name -> name.startsWith("credential.console."))
                .collect(Collectors.toSet());
    }

    private static JsonNode read(URL resource) {
        try (InputStream in = resource.openStream()) {
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
