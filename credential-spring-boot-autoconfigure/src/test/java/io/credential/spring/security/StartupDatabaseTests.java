package io.credential.spring.security;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a whole application finds in its database at startup. */
class StartupDatabaseTests {

    @TempDir
    static Path directory;

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

    /** Outside requests, as at startup, no tenant is known. Only a whole application shows which code connects first. */
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
}
