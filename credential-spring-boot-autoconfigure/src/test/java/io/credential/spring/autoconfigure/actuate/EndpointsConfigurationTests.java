package io.credential.spring.autoconfigure.actuate;

import java.nio.file.Path;
import java.util.Map;
import javax.management.MBeanException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Configuration;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.actuate.EndpointHost.Answer;
import io.credential.spring.autoconfigure.actuate.WebhookViews.EndpointPageView;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

/** Who may use the endpoints, and how. {@link EndpointsTests} shows what they do. */
class EndpointsConfigurationTests {

    @TempDir
    private Path directory;

    @Test
    void startWhenNotExposedThenNoEndpoints() {
        try (EndpointHost host = start("management.endpoints.web.exposure.include=health,info")) {
            assertThat(host.context().getBeansOfType(CredentialsEndpoint.class)).isEmpty();
            assertThat(host.context().getBeansOfType(WebhooksEndpoint.class)).isEmpty();
            assertThat(host.get("credentials").status()).isEqualTo(404);
            assertThat(host.get("webhooks").status()).isEqualTo(404);
        }
    }

    @Test
    void accessWhenNotSetThenReadOnly() {
        try (EndpointHost host = start(EndpointHost.EXPOSED)) {
            IssuedApiKey key = issue(host);
            host.bean(WebhookDispatcher.class)
                    .registerEndpoint(EndpointRegistration.of("shop", "http://localhost:1", "secret", "*"));

            assertThat(host.get("credentials").status()).isEqualTo(200);
            assertThat(host.get("credentials/live").status()).isEqualTo(200);
            assertThat(host.get("webhooks/endpoints").status()).isEqualTo(200);
            assertThat(host.post("credentials/live/" + key.id() + "/revoke").status())
                    .as("the path of GET .../usage, which has the same form")
                    .isEqualTo(405);
            assertThat(host.post("webhooks/endpoints/shop/pause").status()).isEqualTo(404);
            assertThat(host.post("webhooks/jobs", "{\"endpointId\":\"shop\"}").status())
                    .isEqualTo(405);
            assertThat(host.bean(ApiKeyRegistry.class).verify(key.key())).isPresent();
            assertThat(host.get("webhooks/endpoints/shop").json().has("pausedAt"))
                    .isFalse();
        }
    }

    @Test
    void accessWhenNoneThenNoEndpoints() {
        try (EndpointHost host = start(
                EndpointHost.EXPOSED,
                "management.endpoint.credentials.access=none",
                "management.endpoint.webhooks.access=none")) {
            assertThat(host.get("credentials").status()).isEqualTo(404);
            assertThat(host.get("webhooks").status()).isEqualTo(404);
        }
    }

    @Test
    void rotateWhenThereIsNoHandlerThenRefused() {
        try (EndpointHost host = start(EndpointHost.UNRESTRICTED)) {
            IssuedApiKey key = issue(host);

            Answer answer = host.post("credentials/live/" + key.id() + "/rotate");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text("/detail")).contains("RotatedKeyHandler");
            assertThat(host.get("credentials/live/" + key.id()).json().has("secondaryExpiresAt"))
                    .isFalse();
        }
    }

    @Test
    void credentialsWhenLastUsesAreNotTrackedThenNotCounted() {
        try (EndpointHost host =
                start(EndpointHost.EXPOSED, "credential.api-keys.registries.live.track-last-used=false")) {
            assertThat(host.get("credentials")
                            .json()
                            .at("/registries/live/hygiene")
                            .has("unused"))
                    .isFalse();
        }
    }

    @Test
    void jmxWhenExposedThenReadsAndChanges() throws Exception {
        try (EndpointHost host = start(
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.domain=endpoints",
                "management.endpoints.jmx.exposure.include=credentials,webhooks,webhookinbox",
                "credential.webhook.inbox.enabled=true",
                "management.endpoint.credentials.access=unrestricted")) {
            IssuedApiKey key = issue(host);

            assertThat(invoke(host, "Credentials", "registries"))
                    .asInstanceOf(MAP)
                    .containsOnlyKeys("registries");
            assertThat(invoke(host, "Credentials", "change", "live", key.id(), "revoke"))
                    .asInstanceOf(MAP)
                    .containsEntry("changed", true);
            assertThat(host.bean(ApiKeyRegistry.class).verify(key.key())).isEmpty();
            assertThat(invoke(host, "Webhooks", "list", "endpoints", null, null, null, null, null))
                    .asInstanceOf(MAP)
                    .containsKey("endpoints");
            assertThat(invoke(host, "Webhookinbox", "list", "dead", null, null, null))
                    .asInstanceOf(MAP)
                    .containsKey("webhooks");
            assertThatExceptionOfType(MBeanException.class)
                    .isThrownBy(() -> invoke(host, "Credentials", "key", "live", "x"))
                    .withMessage("No API key has this id");
            assertThat(host.get("credentials").status()).as("over HTTP").isEqualTo(404);
        }
    }

    @Test
    void answerWhenNotLeaderThenUnavailableWithItsUrl() {
        WebEndpointResponse<Object> answer = EndpointProblems.problem(
                new ApiKeyProblems().handle(new NotLeaderException("node-2", "https://node-2.example")));

        assertThat(answer.getStatus()).isEqualTo(503);
        assertThat(answer.getBody())
                .asInstanceOf(MAP)
                .containsAllEntriesOf(Map.of(
                        "code", "api-key/not-leader", "leader", "node-2", "leaderUrl", "https://node-2.example"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"org.springframework.boot.actuate", "org.springframework.boot.actuate.autoconfigure.endpoint"})
    void startWhenActuatorIsAbsentThenNoEndpoints(String missing) {
        StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(ActuatorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(missing))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EndpointsConfiguration.class));
    }

    @Test
    void hintsThenThePagesCanBeWritten() {
        RuntimeHints hints = new RuntimeHints();

        new EndpointsConfiguration.WebhookHints().registerHints(hints, null);

        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(EndpointPageView.class, "nextCursor"))
                .accepts(hints);
    }

    private EndpointHost start(String... properties) {
        return EndpointHost.start(directory, Nothing.class, properties);
    }

    private static IssuedApiKey issue(EndpointHost host) {
        return host.bean(ApiKeyRegistry.class).issue(IssueRequest.forOwner("user-42"));
    }

    private static Object invoke(EndpointHost host, String endpoint, String operation, @Nullable String... arguments)
            throws Exception {
        MBeanServer server = host.bean(MBeanServer.class);
        return server.invoke(
                new ObjectName("endpoints:type=Endpoint,name=" + endpoint),
                operation,
                arguments,
                new String[arguments.length]);
    }

    @Configuration(proxyBeanMethods = false)
    static class Nothing {}
}
