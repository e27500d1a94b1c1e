package io.credential.spring.autoconfigure.actuate;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.actuate.web.exchanges.HttpExchange;
import org.springframework.boot.actuate.web.exchanges.HttpExchangeRepository;
import org.springframework.boot.actuate.web.exchanges.InMemoryHttpExchangeRepository;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;

import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.WithoutLibraries;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code /actuator/env} and {@code /actuator/configprops} show to those who may see values. */
class SanitizingConfigurationTests {

    private static final String KEY = "bk_live_0011223344556677_00112233445566778899aabbccddeeff";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SanitizingConfiguration.class,
                    CredentialAutoConfiguration.class,
                    EnvironmentEndpointAutoConfiguration.class,
                    ConfigurationPropertiesReportEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=*",
                    "management.endpoints.jmx.exposure.include=*",
                    "management.endpoint.env.show-values=always",
                    "management.endpoint.configprops.show-values=always",
                    "credential.keyring.location=base64:hidden-1",
                    "credential.cluster.listen-url=jdbc:postgresql://db/app?password=hidden-2",
                    "credential.webhook.inbound.partner.paths=/hooks/partner",
                    "credential.webhook.inbound.partner.keys.v1=hidden-3",
                    "credential.webhook.signers.outbound.keys.v1=hidden-4",
                    "shop.partner.key=" + KEY,
                    "credential.api-keys.header-name=X-Shown");

    @Test
    void endpointsWhenValuesAreShownThenNoSecret() {
        runner.run(context -> {
            String environment = new JsonMapper()
                    .writeValueAsString(
                            context.getBean(EnvironmentEndpoint.class).environment(null));
            String properties = new JsonMapper()
                    .writeValueAsString(context.getBean(ConfigurationPropertiesReportEndpoint.class)
                            .configurationProperties());

            for (String shown : List.of(environment, properties)) {
                assertThat(shown)
                        .contains("X-Shown", "/hooks/partner", "******")
                        .doesNotContain("hidden-1", "hidden-2", "hidden-3", "hidden-4", KEY);
            }
        });
    }

    @Test
    void startWhenActuatorIsAbsentThenNoFunction() {
        new ApplicationContextRunner()
                .withClassLoader(new WithoutLibraries("org.springframework.boot.actuate."))
                .withConfiguration(AutoConfigurations.of(SanitizingConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("credentialSanitizingFunction"));
    }

    @ParameterizedTest
    @CsvSource({
        "credential.webhook.inbound.partner.keys.v1, x",
        "credential.webhook.signers[outbound].keys[v1].private-key, x",
        "CREDENTIAL_WEBHOOK_INBOUND_PARTNER_KEYS_V1, x",
        "credential.cluster.listenUrl, jdbc:postgresql://db/app",
        "CREDENTIAL_CLUSTER_LISTENURL, jdbc:postgresql://db/app",
        "CREDENTIAL_KEYRING_LOCATION, base64:abc",
        "SPRING_APPLICATION_JSON, '{\"credential\":{\"webhook\":{}}}'",
        "SPRING_APPLICATION_JSON, '{\"credential\":{\"mode\":\"cluster\",\"webhook\":{}}}'",
        "spring.application.json, '{ \"Credential.cluster\" : { \"lease\": \"10s\", \"listen\": {} } }'",
        "JAVA_OPTS, '-Dspring.application.json={\\\"credential\\\":{\\\"mode\\\":\\\"cluster\\\",\\\"keyring\\\":{}}}'",
        "JAVA_OPTS, -Xmx1g -Dcredential.webhook.signers.outbound.keys.v1=x",
        "any.name, CREDENTIAL_CLUSTER_LISTENURL=jdbc:postgresql://db/app",
        "sun.java.command, app.jar --credential.webhook.signers.outbound.keys.v1=x",
        "JAVA_TOOL_OPTIONS, -Dcredential.keyring.location=base64:abc",
        "_JAVA_OPTIONS, -Dcredential.keyring.location=base64:abc",
        "any.name, see " + KEY
    })
    void applyWhenValueIsSecretThenMasked(String key, String value) {
        assertThat(apply(key, value)).isEqualTo(SanitizableData.SANITIZED_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "credential.keyring.location, file:./data/credential-keyring.json",
        "credential.api-keys.registries.keys.prefix, bk",
        "credential.webhook.inbound.partner.algorithm, pqc-pem",
        "sun.java.command, app.jar --server.port=0",
        "application.keys.v1, x",
        "any.name, bk_live_0011223344556677"
    })
    void applyWhenValueIsNoSecretThenShown(String key, String value) {
        assertThat(apply(key, value)).isEqualTo(value);
    }

    private static @Nullable Object apply(String key, String value) {
        MapPropertySource source = new MapPropertySource("test", Map.of(key, value));
        return new ApiKeyValues()
                .apply(new SecretValues().apply(new SanitizableData(source, key, value)))
                .getValue();
    }

    /** {@code ActuatorTests} shows the endpoint over HTTP. */
    @ParameterizedTest
    @ValueSource(classes = {InMemoryHttpExchangeRepository.class, FinalRepository.class})
    void exchangesWhenRecordedThenMaskedInAnyRepository(Class<? extends HttpExchangeRepository> type) {
        runner.withBean(type).run(context -> {
            HttpExchangeRepository repository = context.getBean(HttpExchangeRepository.class);

            repository.add(
                    exchange("X-Shown", "a key of another system", "Authorization", "apikey " + KEY, "Accept", "a/b"));

            HttpExchange.Request request = repository.findAll().get(0).getRequest();
            assertThat(request.getUri()).hasToString("http://localhost/bk_live_0011223344556677_***?a=%20");
            assertThat(request.getHeaders())
                    .containsEntry("X-Shown", List.of("***"))
                    .containsEntry("Authorization", List.of("apikey bk_live_0011223344556677_***"))
                    .containsEntry("Accept", List.of("a/b"));
        });
    }

    @Test
    void exchangesWhenRepositoryKeepsThemThenItHasNoToken() {
        FinalRepository kept = new FinalRepository();
        runner.withBean(HttpExchangeRepository.class, () -> kept).run(context -> {
            context.getBean(HttpExchangeRepository.class).add(exchange("X-Shown", KEY));

            assertThat(kept.findAll().get(0).getRequest().getHeaders().toString())
                    .doesNotContain(KEY);
        });
    }

    @Test
    void repositoryWhenInjectedByClassThenKeepsSettings() {
        runner.withBean(InMemoryHttpExchangeRepository.class)
                .withBean(InjectsTheClass.class)
                .run(context -> {
                    InMemoryHttpExchangeRepository repository =
                            context.getBean(InjectsTheClass.class).repository();
                    repository.setCapacity(1);
                    repository.add(exchange("X-Shown", KEY));
                    repository.add(exchange("X-Shown", KEY));

                    assertThat(repository.findAll()).hasSize(1);
                });
    }

    private static HttpExchange exchange(String... headers) {
        Map<String, List<String>> map = new LinkedHashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            map.put(headers[i], List.of(headers[i + 1]));
        }
        return new HttpExchange(
                Instant.EPOCH,
                new HttpExchange.Request(URI.create("http://localhost/" + KEY + "?a=%20"), "192.0.2.1", "GET", map),
                new HttpExchange.Response(200, Map.of()),
                null,
                null,
                null);
    }

    record InjectsTheClass(InMemoryHttpExchangeRepository repository) {}

    static final class FinalRepository implements HttpExchangeRepository {

        private final List<HttpExchange> exchanges = new ArrayList<>();

        @Override
        public List<HttpExchange> findAll() {
            return exchanges;
        }

        @Override
        public void add(HttpExchange exchange) {
            exchanges.add(exchange);
        }
    }
}
