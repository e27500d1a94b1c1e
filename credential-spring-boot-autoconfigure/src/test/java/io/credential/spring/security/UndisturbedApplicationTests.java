package io.credential.spring.security;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.transaction.PlatformTransactionManager;

import jakarta.persistence.EntityManagerFactory;
import jakarta.servlet.Filter;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With the starter and a registry, {@link HostileApplication} behaves as without, except that the one chain that asks for
 * API keys accepts them.
 */
class UndisturbedApplicationTests {

    private static final String KEY = "bk_live_0011223344556677_00112233445566778899aabbccddeeff";
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("user:password".getBytes(StandardCharsets.UTF_8));
    /** The position of the chain that asks for API keys. */
    private static final int KEYED = 1;

    private static final List<Class<?>> TYPES = List.of(
            SecurityFilterChain.class,
            AuthenticationManager.class,
            AuthenticationProvider.class,
            AuthenticationConverter.class,
            AuthenticationEntryPoint.class,
            UserDetailsService.class,
            Filter.class,
            Clock.class,
            InstantSource.class,
            DataSource.class,
            PlatformTransactionManager.class,
            EntityManagerFactory.class,
            TaskScheduler.class,
            TaskExecutor.class);

    @TempDir
    static Path directory;

    private static HostApplication without;
    private static HostApplication with;
    private static String issued = KEY;

    @BeforeAll
    static void start() throws IOException {
        without = start("without", "spring.autoconfigure.exclude=" + String.join(",", ourAutoConfigurations()));
        with = start(
                "with",
                "credential.api-keys.registries.live.prefix=bk",
                "credential.keyring.location=file:" + directory.resolve("keyring.json"));
        issued = with.context()
                .getBean(ApiKeyRegistry.class)
                .issue(IssueRequest.forOwner("owner-1").scopes("orders:read"))
                .key();
    }

    private static HostApplication start(String name, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.mvc.servlet.path=/app",
                "management.endpoints.web.exposure.include=health,info",
                "test.h2=jdbc:h2:mem:" + name,
                "test.sqlite=jdbc:sqlite:" + directory.resolve(name + ".db")));
        properties.addAll(Arrays.asList(more));
        return HostApplication.start(HostileApplication.class, properties.toArray(String[]::new));
    }

    private static List<String> ourAutoConfigurations() throws IOException {
        String imports = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        for (URL url : Collections.list(
                UndisturbedApplicationTests.class.getClassLoader().getResources(imports))) {
            try (InputStream in = url.openStream()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                if (text.contains("io.credential.")) {
                    return text.lines().map(String::strip).toList();
                }
            }
        }
        throw new AssertionError("Our auto-configurations are not listed");
    }

    @AfterAll
    static void stop() {
        with.close();
        without.close();
    }

    private static String seen(HostApplication application, String method, String path, String... headers) {
        HttpResponse<String> response =
                method.equals("GET") ? application.get(path, headers) : application.post(path, headers);
        Map<String, List<String>> shown = new TreeMap<>();
        for (String header : List.of("Location", "WWW-Authenticate", "Content-Type", "X-Frame-Options")) {
            shown.put(header, response.headers().allValues(header));
        }
        shown.put(
                "Set-Cookie",
                response.headers().allValues("Set-Cookie").stream()
                        .map(cookie -> cookie.replaceAll("=.*", ""))
                        .toList());
        String body = response.body().contains("timestamp")
                ? "an error"
                : response.body().replaceAll("(name=\"_csrf\"[^>]*value=\")[^\"]*", "$1");
        return (response.statusCode() + " " + shown + " " + body).replaceAll("localhost:[0-9]+", "localhost");
    }

    private static void assertSame(String method, String path, String... headers) {
        assertThat(seen(with, method, path, headers))
                .as("%s %s %s", method, path, List.of(headers))
                .isEqualTo(seen(without, method, path, headers));
    }

    @Test
    void answersWhenStarterIsAddedThenTheSame() {
        for (String path : List.of(
                "/app/admin/name", "/app/keys/name", "/app/api/name", "/app/actuator/info", "/app/actuator/health")) {
            assertSame("GET", path, "Accept", "text/html");
            assertSame("GET", path, "Accept", "application/json");
            assertSame("GET", path, "Authorization", BASIC);
            assertSame("POST", path, "Accept", "application/json");
        }
        assertSame("GET", "/app/api/admin", "Authorization", BASIC);
        assertSame("GET", "/app/api/note", "Authorization", BASIC);
        assertSame("GET", "/app/unknown", "Authorization", BASIC);
        assertSame("GET", "/login");
    }

    @Test
    void keyWhenNoChainAsksForItThenIgnored() {
        for (String path : List.of("/app/admin/name", "/app/api/name", "/app/actuator/info")) {
            for (String accept : List.of("text/html", "application/json")) {
                assertThat(seen(with, "GET", path, "X-API-Key", issued, "Accept", accept))
                        .isEqualTo(seen(without, "GET", path, "Accept", accept));
                assertThat(seen(with, "GET", path, "X-API-Key", issued, "Authorization", BASIC))
                        .isEqualTo(seen(without, "GET", path, "Authorization", BASIC));
            }
        }
    }

    @Test
    void keyWhenTheChainAsksForItThenOwnerWithoutSession() {
        HttpResponse<String> response = with.get("/app/keys/name", "X-API-Key", issued);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("owner-1");
        assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(with.get("/app/keys/name", "X-API-Key", KEY).statusCode()).isEqualTo(401);
    }

    @Test
    void transactionWhenKeyIsAcceptedThenOnPrimaryDatabase() {
        assertThat(with.get("/app/keys/note", "X-API-Key", issued).body()).isEqualTo("on the primary database: true");
    }

    @Test
    void beansWhenStarterIsAddedThenTheSameByType() {
        assertThat(beans(without).get(SecurityFilterChain.class.getName())).hasSize(3);
        assertThat(beans(with)).isEqualTo(beans(without));
    }

    private static Map<String, Set<String>> beans(HostApplication application) {
        Map<String, Set<String>> beans = new TreeMap<>();
        for (Class<?> type : TYPES) {
            beans.put(
                    type.getName(),
                    new TreeSet<>(Arrays.asList(application.context().getBeanNamesForType(type))));
        }
        return beans;
    }

    @Test
    void filtersWhenStarterIsAddedThenTheSameButForKeys() {
        List<List<String>> filters = filters(with);
        assertThat(filters.get(KEYED).remove(ApiKeyAuthenticationFilter.class.getName()))
                .isTrue();
        assertThat(filters.get(KEYED).remove(SoleCredentialFilter.class.getName()))
                .isTrue();

        assertThat(filters).isEqualTo(filters(without));
    }

    /** The filters of each chain. */
    private static List<List<String>> filters(HostApplication application) {
        List<List<String>> chains = new ArrayList<>();
        for (SecurityFilterChain chain :
                application.context().getBean(FilterChainProxy.class).getFilterChains()) {
            List<String> filters = new ArrayList<>();
            chain.getFilters().forEach(filter -> filters.add(filter.getClass().getName()));
            chains.add(filters);
        }
        return chains;
    }

    @Test
    void jobsWhenStarterIsAddedThenRunWhereTheyRan() {
        for (HostApplication application : List.of(with, without)) {
            HostileApplication.Jobs jobs = application.context().getBean(HostileApplication.Jobs.class);
            Patience.await(jobs.ran);
            assertThat(jobs.threads).allMatch(thread -> thread.startsWith("scheduling-"));
        }
    }

    @Test
    void clockWhenStarterIsAddedThenItsOwn() {
        assertThat(with.context().getBean(Clock.class).instant()).isEqualTo(Instant.EPOCH);
        assertThat(with.context().getBean(ApiKeyRegistry.class).verify(issued))
                .hasValueSatisfying(key -> assertThat(key.createdAt()).isAfter(Instant.EPOCH));
    }
}
