package io.credential.spring.leak;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.dispatcher.Receiver;
import io.credential.spring.autoconfigure.dispatcher.WebhookDispatcherAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.security.ApiKeySecurityAutoConfiguration;
import io.credential.spring.leak.internal.Partner;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** A report on a real Tomcat with Spring Security, from the partner to the owner of the key. */
class LeakReportHttpTests {

    private static final String PATH = "/shop/credential/leak-reports";
    private static final String LEAKED = "credential.api-key.leaked";
    private static final String URL = "https://github.com/octocat/Hello-World/blob/main/foo.txt";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
    private final List<AuditEvent> audit = new CopyOnWriteArrayList<>();
    private final Partner partner = new Partner();
    private Receiver receiver;
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() throws Exception {
        receiver = new Receiver();
        Map<String, Object> properties = new HashMap<>(Map.of(
                "server.port", "0",
                "server.servlet.context-path", "/shop",
                "spring.main.banner-mode", "off",
                "spring.security.user.password", "password",
                "credential.keyring.location", "file:" + StarterRunner.keyring(directory),
                "credential.api-keys.registries.live.notify-owners", "true",
                "credential.api-keys.registries.test.prefix", "tk",
                "credential.webhook.dispatcher.allowed-cidrs", "127.0.0.1",
                "credential.webhook.dispatcher.operational-events.enabled", "true"));
        properties.put("credential.api-keys.accept", "live");
        properties.put("credential.api-keys.leak-reports.enabled", "true");
        properties.put("credential.api-keys.leak-reports.public-keys." + Partner.KEY_ID, partner.pem());
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(properties)
                .initializers((GenericApplicationContext initialized) -> {
                    initialized.registerBean(
                            "applicationDataSource",
                            DataSource.class,
                            database::dataSource,
                            definition -> definition.setDestroyMethodName(""));
                    initialized.registerBean(AuditSink.class, () -> audit::add);
                })
                .run();
    }

    @AfterEach
    void close() {
        context.close();
        receiver.close();
        database.close();
    }

    @Test
    void reportWhenSignedThenKeyIsDisabledAndOwnerTold() throws Exception {
        subscribe("operator", null);
        subscribe("owner", "user-42");
        subscribe("stranger", "user-43");
        IssuedApiKey key = issue("live");
        String body = "[{\"token\":\"" + key.key() + "\",\"type\":\"shop_key\",\"url\":\"" + URL
                + "\",\"source\":\"commit\"},{\"token\":\"tk_test_00_11\",\"type\":\"shop_key\"}]";

        HttpResponse<String> response = post(PATH, body, partner.sign(body));
        HttpResponse<String> repeated = post(PATH, body, partner.sign(body));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("true_positive", "false_positive").doesNotContain(key.key());
        assertThat(repeated.body()).isEqualTo(response.body());
        assertThat(registries().get("live").verify(key.key())).isEmpty();
        assertThat(told()).containsExactlyInAnyOrder("operator", "owner");
        Patience.until(() -> receiver.received().stream()
                        .filter(webhook -> webhook.body()
                                .startsWith("{\"namespace\":\"live\",\"keyId\":\"" + key.id()
                                        + "\",\"state\":\"disabled\",\"source\":\"commit\",\"url\":\"" + URL
                                        + "\",\"reportedAt\":"))
                        .count()
                == 2);
        Patience.until(() -> audit.stream()
                .anyMatch(event -> event.name().equals("apikey.leaked")
                        && "leak-report:github".equals(event.actor())
                        && event.origin().clientAddress() != null
                        && Boolean.TRUE.equals(event.attributes().get("effective"))));
        assertThat(audit.toString()).doesNotContain(key.key());
    }

    @Test
    void reportWhenKeyWasEnabledAgainThenToldAgain() throws Exception {
        subscribe("operator", null);
        IssuedApiKey key = issue("test");
        String body = "[{\"token\":\"" + key.key() + "\"}]";

        assertThat(post(PATH, body, partner.sign(body)).statusCode()).isEqualTo(200);
        registries().get("test").enable(key.id());
        assertThat(post(PATH, body, partner.sign(body)).statusCode()).isEqualTo(200);

        assertThat(told()).containsExactly("operator", "operator");
    }

    @Test
    void otherRequestsThenStillNeedALogin() throws Exception {
        String body = "[]";

        assertThat(post(PATH, body, "AAAA").body()).contains("api-key/leak-report-unauthorized");
        for (String path : List.of(PATH + "/", PATH + "/x", "/shop/credential", "/shop/x" + PATH)) {
            HttpResponse<String> response = post(path, body, partner.sign(body));
            assertThat(response.statusCode()).as(path).isIn(401, 403);
            assertThat(response.body()).doesNotContain("leak-report");
        }
    }

    private ApiKeyRegistries registries() {
        return context.getBean(ApiKeyRegistries.class);
    }

    private IssuedApiKey issue(String namespace) {
        return registries().get(namespace).issue(IssueRequest.forOwner("user-42"));
    }

    private void subscribe(String id, @Nullable String audience) {
        EndpointRegistration registration =
                EndpointRegistration.of(id, receiver.url(), "a secret of the receiver, long enough", LEAKED);
        context.getBean(WebhookDispatcher.class)
                .registerEndpoint(audience == null ? registration : registration.audience(audience));
    }

    private List<String> told() {
        return context
                .getBean(WebhookDispatcher.class)
                .deliveries()
                .list(DeliveryQuery.all().withEventType(LEAKED))
                .stream()
                .map(Delivery::endpointId)
                .toList();
    }

    private HttpResponse<String> post(String path, String body, String signature) throws Exception {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .timeout(Patience.LIMIT)
                                .header("Content-Type", "application/json")
                                .header("Github-Public-Key-Identifier", Partner.KEY_ID)
                                .header("Github-Public-Key-Signature", signature)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        ErrorMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        SecurityAutoConfiguration.class,
        ServletWebSecurityAutoConfiguration.class,
        UserDetailsServiceAutoConfiguration.class,
        SecurityFilterAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        CredentialAutoConfiguration.class,
        CredentialDatabaseAutoConfiguration.class,
        KeyringAutoConfiguration.class,
        ClusterAutoConfiguration.class,
        AuditAutoConfiguration.class,
        ApiKeyRegistriesAutoConfiguration.class,
        ApiKeySecurityAutoConfiguration.class,
        WebhookDispatcherAutoConfiguration.class
    })
    static class Application {}
}
