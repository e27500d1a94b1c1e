package io.credential.spring.library;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.ReducedClassPath;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Starts applications without some of our libraries, each in a class loader that really lacks them: a class that mentions
 * one and is loaded without it fails there.
 */
class MissingProductTests {

    private static final Pattern NEVER = Pattern.compile("(junit|mockito|archunit|assertj|byte-buddy|kotlin|hibernate"
            + "|h2-|flyway-database|lettuce|netty|reactor|spring-data|spring-boot-(starter|test|data|hibernate|jpa|flyway|webflux"
            + "|security-oauth2|resttestclient|http-codec|jetty|micrometer)|spring-(webflux|orm|test|security-(test|oauth2|aspects))"
            + "|springdoc|swagger|jetty|testcontainers|embedded-|docker).*");

    private static final String KEYS = "credential-api-keys";
    private static final String SIGNATURE = "credential-webhook-signature";
    private static final String DELIVERY = "credential-webhook-delivery";
    private static final String INBOX = "credential-webhook-inbox";
    private static final String AUDIT_LOG = "credential-audit-log";

    private static final String TABLE = "table:";
    private static final List<String> SHARED_TABLES =
            List.of("_credential_key_checks", "_credential_leases", "_credential_schema_history");

    private static final List<String> SECURITY = List.of("spring-security", "spring-boot-security");
    private static final List<String> SERVLETS = List.of(
            "jakarta.servlet",
            "tomcat",
            "spring-web",
            "spring-boot-webmvc",
            "spring-boot-servlet",
            "spring-boot-tomcat",
            "spring-boot-web-server",
            "spring-boot-http-converter");
    private static final List<String> DATABASE =
            List.of("spring-boot-jdbc", "spring-boot-sql", "HikariCP", "sqlite-jdbc", "postgresql");

    private static final List<List<String>> ALL =
            List.of(List.of(KEYS, SIGNATURE, DELIVERY, INBOX, AUDIT_LOG, "httpc"), SECURITY, SERVLETS, DATABASE);

    /** By what is missing: tests of the same libraries share the classes that the first of them has loaded. */
    private static final Map<Set<String>, ReducedClassPath> WORLDS = new HashMap<>();

    @TempDir
    Path directory;

    @AfterAll
    static void closeWorlds() throws IOException {
        for (ReducedClassPath world : WORLDS.values()) {
            world.close();
        }
        WORLDS.clear();
    }

    @Test
    void startWhenOnlyTheCoreIsThereThenNothingRuns() throws Exception {
        Collection<String> facts = facts(ALL, List.of());

        assertThat(facts)
                .allMatch(fact -> fact.startsWith("bean:"))
                .noneMatch(fact -> fact.matches(
                        "bean:.*(ebhook|ispatcher|Registr|Egress|AuditLog|Keyring|Database|DataSource|Schema).*"));
    }

    @Test
    void startWhenOnlyKeysThenNothingOfWebhooks() throws Exception {
        Collection<String> facts = facts(
                List.of(List.of(SIGNATURE, DELIVERY, AUDIT_LOG, "httpc")),
                List.of("server.port=0", "credential.api-keys.registries.live.prefix=bk"));

        assertThat(facts)
                .contains("bean:credentialApiKeyRegistries", "bean:credentialApiKeysInChains")
                .noneMatch(fact -> fact.matches("(?i).*(webhook|dispatcher|egress).*"));
        assertThat(tables(facts))
                .containsExactly(
                        "_credential_api_key_terms",
                        "_credential_api_key_tickets",
                        "_credential_api_key_totals",
                        "_credential_api_keys");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void startWhenOnlySignaturesThenNoDatabase(boolean security) throws Exception {
        Collection<String> facts = facts(
                List.of(List.of(KEYS, DELIVERY, AUDIT_LOG, "httpc"), security ? List.of() : SECURITY, DATABASE),
                List.of(
                        "server.port=0",
                        "credential.webhook.inbound.shop.paths=/hooks/shop",
                        "credential.webhook.inbound.shop.allow-unmapped=true",
                        "credential.webhook.inbound.shop.nonce-store=memory",
                        "credential.webhook.inbound.shop.keys.v1=0011223344556677"));

        assertThat(facts)
                .contains("bean:credentialWebhookSignatureFilter")
                .noneMatch(fact -> fact.matches("(?i).*(failure:|table:|dispatcher|egress|keyring|schema|apikey).*"));
    }

    @Test
    void startWhenOnlyNoncesAreStoredThenOnlyTheirTable() throws Exception {
        Collection<String> facts = facts(
                List.of(List.of(KEYS, DELIVERY, AUDIT_LOG, "httpc")),
                List.of(
                        "server.port=0",
                        "credential.webhook.inbound.shop.paths=/hooks/shop",
                        "credential.webhook.inbound.shop.allow-unmapped=true",
                        "credential.webhook.inbound.shop.nonce-store=jdbc",
                        "credential.webhook.inbound.shop.keys.v1=0011223344556677"));

        assertThat(tables(facts)).containsExactly("_credential_nonces");
    }

    @Test
    void requestWhenOnlyKeysThenIsAnswered() throws Exception {
        assertThat(facts(
                        RequestApplication.class,
                        List.of(List.of(SIGNATURE, DELIVERY, AUDIT_LOG, "httpc")),
                        List.of(
                                "server.port=0",
                                "spring.security.user.name=user",
                                "spring.security.user.password=secret",
                                "credential.api-keys.registries.live.prefix=bk")))
                .anyMatch(fact -> fact.matches("key /actor: 200 api-key:[0-9a-f]{16}"))
                .contains("key /orders: 403", "user /actor: 200 user", "user /orders: 403");
    }

    @Test
    void requestWhenOnlySignaturesThenIsAnswered() throws Exception {
        assertThat(facts(
                        RequestApplication.class,
                        List.of(List.of(KEYS, DELIVERY, AUDIT_LOG, "httpc"), DATABASE),
                        List.of(
                                "server.port=0",
                                "spring.security.user.name=user",
                                "spring.security.user.password=secret")))
                .containsExactlyInAnyOrder("user /actor: 200 user", "user /orders: 403");
    }

    @Test
    void startWhenOnlySendingThenNeedsNoServer() throws Exception {
        Collection<String> facts = facts(
                List.of(List.of(KEYS, AUDIT_LOG), SECURITY, SERVLETS),
                List.of(
                        "credential.webhook.dispatcher.poll-interval=1h",
                        "credential.webhook.signers.shop.keys.v1=0011223344556677"));

        assertThat(facts)
                .contains("bean:credentialWebhookDispatcher", "bean:credentialWebhookSender")
                .noneMatch(fact -> fact.matches("(?i)(failure:.*|bean:.*(api_?key|registr|leader).*)"));
        assertThat(tables(facts))
                .contains("_credential_webhook_deliveries")
                .allMatch(table -> table.startsWith("_credential_webhook_"));
    }

    @Test
    void startWhenOnlyTheAuditLogThenItIsThere() throws Exception {
        Collection<String> facts = facts(
                List.of(List.of(KEYS, SIGNATURE, DELIVERY, "httpc"), SECURITY, SERVLETS),
                List.of("credential.audit.jdbc.enabled=true"));

        assertThat(facts).contains("bean:credentialAuditLog").noneMatch(fact -> fact.startsWith("failure:"));
        assertThat(tables(facts)).containsExactly("_credential_audit_log");
    }

    @ParameterizedTest
    @CsvSource({
        "credential.api-keys.header-name, credential-api-keys, credential-spring-boot-starter-api-keys",
        "credential.webhook.signers.shop.keys.v1, credential-webhook-signature, credential-spring-boot-starter-webhook-sender",
        "credential.webhook.inbound.shop.paths, credential-webhook-signature, credential-spring-boot-starter-webhook-receiver",
        "credential.webhook.dispatcher.enabled, credential-webhook-delivery, credential-spring-boot-starter-webhook-sender",
        "credential.webhook.inbox.threads, credential-webhook-inbox, credential-spring-boot-starter",
        "credential.audit.jdbc.enabled, credential-audit-log, credential-spring-boot-starter",
        "credential.console.enabled, credential-spring-boot-console, credential-spring-boot-starter-console"
    })
    void propertyWhenItsLibraryIsMissingThenIsRefused(String property, String artifact, String starter)
            throws Exception {
        Collection<String> facts = facts(ALL, List.of(property + "=false"));

        assertThat(facts)
                .anyMatch(fact -> fact.startsWith("failure:The configuration property '" + property + "'")
                        && fact.contains("Add 'io.credential:" + artifact + "' or 'io.credential:" + starter + "'"));
    }

    @Test
    void startWhenNoncesNeedMissingLibrariesThenNamesThem() throws Exception {
        Collection<String> facts = facts(
                List.of(
                        List.of(KEYS, DELIVERY, AUDIT_LOG, "httpc", "spring-jdbc", "spring-tx", "flyway"),
                        SECURITY,
                        DATABASE),
                List.of(
                        "server.port=0",
                        "credential.webhook.inbound.shop.paths=/hooks/shop",
                        "credential.webhook.inbound.shop.allow-unmapped=true",
                        "credential.webhook.inbound.shop.nonce-store=jdbc",
                        "credential.webhook.inbound.shop.keys.v1=0011223344556677"));

        assertThat(facts)
                .anyMatch(fact -> fact.startsWith("failure:")
                        && fact.contains("Add 'org.springframework.boot:spring-boot-starter-jdbc'"));
    }

    private Collection<String> facts(List<List<String>> missing, List<String> properties) throws Exception {
        return facts(LibraryApplication.class, missing, properties);
    }

    /** Returns the tables that the products add to those of all databases. */
    private static List<String> tables(Collection<String> facts) {
        List<String> tables = facts.stream()
                .filter(fact -> fact.startsWith(TABLE))
                .map(fact -> fact.substring(TABLE.length()))
                .toList();
        assertThat(tables).containsAll(SHARED_TABLES);
        return tables.stream().filter(table -> !SHARED_TABLES.contains(table)).toList();
    }

    @SuppressWarnings("unchecked")
    private Collection<String> facts(Class<?> application, List<List<String>> missing, List<String> properties)
            throws Exception {
        ReducedClassPath reduced = WORLDS.computeIfAbsent(
                missing.stream().flatMap(List::stream).collect(Collectors.toSet()), MissingProductTests::without);
        List<String> all = Stream.concat(
                        properties.stream(),
                        Stream.of(
                                "spring.main.banner-mode=off",
                                "credential.storage.path=" + directory.resolve("credential.db"),
                                "credential.keyring.location=file:" + directory.resolve("keyring.json")))
                .toList();
        return reduced.run(world -> (Collection<String>) world.loadClass(application.getName())
                .getMethod("facts", String[].class)
                .invoke(null, (Object) all.toArray(String[]::new)));
    }

    private static ReducedClassPath without(Set<String> absent) {
        return new ReducedClassPath(
                name -> NEVER.matcher(name).matches() || absent.stream().anyMatch(name::startsWith));
    }
}
