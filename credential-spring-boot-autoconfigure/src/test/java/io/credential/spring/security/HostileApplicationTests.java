package io.credential.spring.security;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AuthenticationConverter;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.servlet.Filter;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.spring.autoconfigure.CredentialDataSource;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An application that has everything a starter could disturb: its own chains, Actuator, a servlet prefix, method
 * security, JPA, a clock, scheduled jobs and two databases. With the starter and a registry it behaves as without, except
 * that the one chain that asks for API keys accepts them.
 */
class HostileApplicationTests {

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
        return HostApplication.start(Host.class, properties.toArray(String[]::new));
    }

    private static List<String> ourAutoConfigurations() throws IOException {
        String imports = "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
        for (URL url :
                Collections.list(HostileApplicationTests.class.getClassLoader().getResources(imports))) {
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
            Jobs jobs = application.context().getBean(Jobs.class);
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

    /** A whole application, because each of its parts looks for tables, in its own order at startup. */
    @Test
    void startWhenOthersAreInPublicThenUndisturbed() {
        String user = "shop_" + UUID.randomUUID().toString().replace("-", "");
        try (TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            JdbcTemplate admin = new JdbcTemplate(database.dataSource());
            String other = tokenOf("public", database.jdbcUrl());
            admin.execute("create role " + user + " login password 'shop'");
            admin.execute("create schema " + user + " authorization " + user);
            String url = database.jdbcUrl().replaceAll("([?&])(user|password)=[^&]*&?", "$1");
            String shop = url + (url.contains("?") ? "&" : "?") + "user=" + user + "&password=shop";
            try {
                String token = tokenOf("shop", shop);
                for (String connections : List.of(shop, shop + "&currentSchema=" + user + ",public", shop)) {
                    assertVerifies("shop", connections, token, other);
                    assertVerifies("public", database.jdbcUrl(), other, token);
                }
            } finally {
                admin.execute("drop schema " + user + " cascade");
                admin.execute("drop owned by " + user);
                admin.execute("drop role " + user);
            }
        }
    }

    /** As at startup, there is no tenant outside requests; only the whole application shows who asks first. */
    @Test
    void startWhenDataSourceRoutesByTenantThenExplained() {
        assertThatThrownBy(() -> HostApplication.start(
                        Routed.class,
                        "spring.flyway.enabled=false",
                        "credential.api-keys.registries.live.prefix=bk",
                        "credential.keyring.location=file:" + directory.resolve("routed-keyring.json")))
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("provides no connection at startup")
                .hasStackTraceContaining("@CredentialDataSource");
    }

    private static String tokenOf(String name, String url) {
        try (HostApplication application = startOnPostgres(name, url)) {
            return application
                    .context()
                    .getBean(ApiKeyRegistry.class)
                    .issue(IssueRequest.forOwner(name))
                    .key();
        }
    }

    private static void assertVerifies(String name, String url, String own, String foreign) {
        try (HostApplication application = startOnPostgres(name, url)) {
            ApiKeyRegistry registry = application.context().getBean(ApiKeyRegistry.class);
            assertThat(registry.verify(own))
                    .hasValueSatisfying(key -> assertThat(key.ownerId()).isEqualTo(name));
            assertThat(registry.verify(foreign)).isEmpty();
        }
    }

    private static HostApplication startOnPostgres(String name, String url) {
        return HostApplication.start(
                Plain.class,
                "spring.datasource.url=" + url,
                "spring.flyway.enabled=false",
                "spring.jpa.hibernate.ddl-auto=none",
                "credential.api-keys.registries.live.prefix=bk",
                "credential.webhook.dispatcher.allowed-protocols=https",
                "credential.audit.jdbc.enabled=true",
                "credential.keyring.location=file:" + directory.resolve(name + "-keyring.json"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName =
                    "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration")
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = HibernateJpaAutoConfiguration.class,
            excludeName =
                    "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration")
    static class Routed {

        @Bean
        DataSource dataSource() {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected @Nullable Object determineCurrentLookupKey() {
                    return null;
                }
            };
            routing.setTargetDataSources(Map.of("a", new DriverManagerDataSource("jdbc:h2:mem:tenant-a")));
            return routing;
        }
    }

    @Entity
    static class Note {

        @Id
        long id;
    }

    static class Notes {

        private final EntityManager entities;
        private final DataSource primary;
        private long last;

        Notes(EntityManager entities, DataSource primary) {
            this.entities = entities;
            this.primary = primary;
        }

        @Transactional
        public String add() {
            Note note = new Note();
            note.id = ++last;
            entities.persist(note);
            entities.flush();
            return "on the primary database: " + TransactionSynchronizationManager.hasResource(primary);
        }

        @PreAuthorize("hasRole('ADMIN')")
        public String ofAdmins() {
            return "for admins";
        }
    }

    @RestController
    static class NoteController {

        private final Notes notes;

        NoteController(Notes notes) {
            this.notes = notes;
        }

        @GetMapping({"/admin/name", "/keys/name", "/api/name"})
        String name(Principal principal) {
            return principal.getName();
        }

        @GetMapping({"/keys/note", "/api/note"})
        String note() {
            return notes.add();
        }

        @GetMapping("/api/admin")
        String admin() {
            return notes.ofAdmins();
        }
    }

    static class Jobs {

        private final Set<String> threads = new CopyOnWriteArraySet<>();
        private final CountDownLatch ran = new CountDownLatch(2);

        @Scheduled(fixedDelay = 50)
        void run() {
            threads.add(Thread.currentThread().getName());
            ran.countDown();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = FlywayAutoConfiguration.class,
            excludeName =
                    "org.springframework.boot.jetty.autoconfigure.actuate.web.server.JettyServletManagementContextAutoConfiguration")
    @EntityScan(basePackageClasses = HostileApplicationTests.class)
    @EnableMethodSecurity
    @EnableScheduling
    @Import({NoteController.class, Jobs.class})
    static class Host {

        @Bean
        @Primary
        DataSource applicationDataSource(@Value("${test.h2}") String url) {
            return DataSourceBuilder.create().url(url).build();
        }

        @Bean
        @CredentialDataSource
        DataSource keysDataSource(@Value("${test.sqlite}") String url) {
            return DataSourceBuilder.create().url(url).build();
        }

        @Bean
        Clock clock() {
            return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        }

        @Bean
        Notes notes(EntityManager entities, DataSource primary) {
            return new Notes(entities, primary);
        }

        @Bean
        @Order(1)
        SecurityFilterChain admin(HttpSecurity http) {
            return http.securityMatcher(pathsFrom("/app/admin/", "/login", "/logout"))
                    .formLogin(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        /** Patterns would be relative to the prefix of the servlet. */
        private static RequestMatcher pathsFrom(String... starts) {
            return request -> Arrays.stream(starts).anyMatch(request.getRequestURI()::startsWith);
        }

        /** Asks for API keys where the starter is. */
        @Bean
        @Order(2)
        SecurityFilterChain keyed(HttpSecurity http, ObjectProvider<ApiKeyRegistries> registries) {
            registries.ifAvailable(present -> http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults()));
            return http.securityMatcher(pathsFrom("/app/keys/"))
                    .httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        @Bean
        @Order(3)
        SecurityFilterChain api(HttpSecurity http) {
            return http.httpBasic(Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/health")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .build();
        }
    }
}
