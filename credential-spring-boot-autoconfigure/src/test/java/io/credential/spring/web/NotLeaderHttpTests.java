package io.credential.spring.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** Two nodes on one PostgreSQL, each on a real Tomcat. */
class NotLeaderHttpTests {

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

    @BeforeEach
    void makeTheKeyring() {
        StarterRunner.on(database, directory).run(context -> assertThat(context).hasNotFailed());
    }

    @AfterEach
    void stop() {
        nodes.forEach(ConfigurableApplicationContext::close);
        database.close();
    }

    @Test
    void changeWhenAnotherNodeLeadsThen503WithItsUrl() throws Exception {
        ConfigurableApplicationContext leader = start("n1", "https://n1.example.org");
        ConfigurableApplicationContext follower = start("n2", "https://n2.example.org");

        assertThat(issueOn(leader).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = issueOn(follower);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.body())
                .contains(
                        "\"code\":\"api-key/not-leader\"",
                        "\"leader\":\"n1\"",
                        "\"leaderUrl\":\"https://n1.example.org\"");
    }

    @Test
    void changeWhenLeaderHasNoUrlThen503AndRetryLater() throws Exception {
        start("n1", "");
        HttpResponse<String> refused = issueOn(start("n2", "https://n2.example.org"));

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(refused.body()).contains("\"leader\":\"n1\"").doesNotContain("leaderUrl");
    }

    @Test
    void changeWhenLeaderIsStoppingThenAnotherNodeLeads() throws Exception {
        ConfigurableApplicationContext leader = start("n1", "https://n1.example.org");
        ConfigurableApplicationContext follower = start("n2", "https://n2.example.org");
        Keys running = leader.getBean(Keys.class);
        try (TestThreads threads = new TestThreads()) {
            Future<HttpResponse<String>> request = submit(threads, () -> post(leader, "/keys/later"));
            Patience.await(running.begun);
            Future<?> stopping = submit(threads, Executors.callable(leader::close));

            Patience.until(() -> issueOn(follower).statusCode() == 200);
            assertThat(stopping).isNotDone();
            running.goOn.countDown();

            HttpResponse<String> refused = Patience.get(request);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body())
                    .contains("\"code\":\"api-key/not-leader\"", "\"leaderUrl\":\"https://n2.example.org\"");
            Patience.get(stopping);
        }
    }

    private static <T> Future<T> submit(TestThreads threads, Callable<T> task) {
        FutureTask<T> result = new FutureTask<>(task);
        threads.execute(result);
        return result;
    }

    private ConfigurableApplicationContext start(String nodeId, String url) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "server.port",
                "0",
                "spring.lifecycle.timeout-per-shutdown-phase",
                Patience.LIMIT.toString(),
                "spring.main.banner-mode",
                "off",
                "spring.datasource.url",
                database.jdbcUrl(),
                "credential.mode",
                "cluster",
                "credential.cluster.node-id",
                nodeId,
                "credential.cluster.advertised-url",
                url,
                "credential.cluster.lease-duration",
                "5m",
                "credential.keyring.location",
                "file:" + StarterRunner.keyring(directory),
                "credential.api-keys.registries.live.prefix",
                "bk"));
        properties.put("credential.webhook.dispatcher.enabled", "false");
        ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class)
                .web(WebApplicationType.SERVLET)
                .properties(properties)
                .run();
        nodes.add(node);
        return node;
    }

    private static HttpResponse<String> issueOn(ConfigurableApplicationContext node)
            throws IOException, InterruptedException {
        return post(node, "/keys");
    }

    private static HttpResponse<String> post(ConfigurableApplicationContext node, String path)
            throws IOException, InterruptedException {
        String port = node.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .timeout(Patience.LIMIT)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        PropertyPlaceholderAutoConfiguration.class,
        LifecycleAutoConfiguration.class,
        TomcatServletWebServerAutoConfiguration.class,
        DispatcherServletAutoConfiguration.class,
        WebMvcAutoConfiguration.class,
        HttpMessageConvertersAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        CredentialAutoConfiguration.class,
        CredentialDatabaseAutoConfiguration.class,
        KeyringAutoConfiguration.class,
        ClusterAutoConfiguration.class,
        AuditAutoConfiguration.class,
        ApiKeyRegistriesAutoConfiguration.class
    })
    @Import({CredentialExceptionHandler.class, Keys.class})
    static class Node {}

    @RestController
    static class Keys {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final ApiKeyRegistry registry;

        Keys(ApiKeyRegistry registry) {
            this.registry = registry;
        }

        @PostMapping("/keys")
        String issue() {
            return registry.issue(IssueRequest.forOwner("user-42")).id();
        }

        @PostMapping("/keys/later")
        String issueLater() {
            begun.countDown();
            Patience.await(goOn);
            return issue();
        }
    }
}
