package io.credential.spring.autoconfigure.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.testing.Patience;

/** An application with the registry {@code live}, a dispatcher and Actuator, on a SQLite file and a real server. */
final class EndpointHost implements AutoCloseable {

    static final String EXPOSED = "management.endpoints.web.exposure.include=credentials,webhooks";
    static final String[] UNRESTRICTED = {
        EXPOSED,
        "management.endpoint.credentials.access=unrestricted",
        "management.endpoint.webhooks.access=unrestricted"
    };

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("operator:password".getBytes(StandardCharsets.UTF_8));

    private final ConfigurableApplicationContext context;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Patience.LIMIT).build();

    private EndpointHost(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** @param properties each in the form {@code name=value} */
    static EndpointHost start(Path directory, Class<?> more, String... properties) {
        Map<String, Object> all = new HashMap<>(Map.of(
                "server.port", "0",
                "spring.main.banner-mode", "off",
                "spring.security.user.name", "operator",
                "spring.security.user.password", "password",
                "credential.storage.path", directory.resolve("credential.db").toString(),
                "credential.keyring.location", "file:" + directory.resolve("keyring.json"),
                "credential.api-keys.registries.live.prefix", "bk",
                "credential.api-keys.usage.enabled", "true",
                "credential.webhook.dispatcher.allow-internal-destinations", "true",
                "credential.webhook.dispatcher.request-timeout", "5s"));
        Arrays.stream(properties).map(property -> property.split("=", 2)).forEach(pair -> all.put(pair[0], pair[1]));
        return new EndpointHost(new SpringApplicationBuilder(Application.class, more)
                .web(WebApplicationType.SERVLET)
                .properties(all)
                .run());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    /** What was audited so far. */
    List<AuditEvent> audited() {
        return bean(Recorder.class).events;
    }

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path) {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    Answer post(String path, String json) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                .header("Authorization", BASIC)
                .timeout(Patience.LIMIT);
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse(""),
                    response.body());
        } catch (IOException e) {
            throw new AssertionError("No answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("No answer", e);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    record Answer(int status, String contentType, String body) {

        JsonNode json() {
            return JSON.readTree(body);
        }

        /** The text at a JSON pointer. */
        String text(String pointer) {
            return json().at(pointer).asString();
        }
    }

    /** Keeps audit events. */
    static final class Recorder implements AuditSink {

        private final List<AuditEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void record(AuditEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                DataSourceAutoConfiguration.class,
                HibernateJpaAutoConfiguration.class,
                DataJpaRepositoriesAutoConfiguration.class,
                FlywayAutoConfiguration.class
            })
    static class Application {

        @Bean
        Recorder recorder() {
            return new Recorder();
        }

        @Bean
        SecurityFilterChain operators(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(AbstractHttpConfigurer::disable)
                    .build();
        }
    }
}
