package io.credential.spring.autoconfigure.properties;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What an editor shows for our properties. */
class ConfigurationMetadataTests {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String SOURCES =
            "META-INF/spring/configuration-metadata/io.credential.spring.autoconfigure.properties.";
    private static final String REGISTRY_METADATA = SOURCES + "ApiKeyRegistryProperties.json";
    private static final String IMPORTED_TOKEN_METADATA = SOURCES + "ImportedToken.json";
    private static final String SIGNER_METADATA = SOURCES + "WebhookSignerProperties.json";
    private static final String INBOUND_METADATA = SOURCES + "WebhookInboundProperties.json";

    /** A map has no default but to be empty, for which the format has no form. */
    private static final Set<String> MAPS = Set.of(
            "credential.api-keys.leak-reports.public-keys",
            "credential.api-keys.registries",
            "credential.webhook.signers",
            "credential.webhook.inbound",
            "imported-tokens",
            "keys");

    /** Their defaults are not values, or depend on other properties. */
    private static final Set<String> DEPENDENT = Set.of(
            "rate-limit.limit",
            "quota.limit",
            "max-lifetime",
            "disable-after-idle",
            "lookup-hash",
            "pepper",
            "default-kid",
            "pqc-algorithm",
            "signature-header",
            "paths",
            "http.ssl-bundle");

    @Test
    void metadataThenListsEveryProperty() {
        assertThat(properties(METADATA).map(ConfigurationMetadataTests::name))
                .containsExactlyInAnyOrder(
                        "credential.mode",
                        "credential.storage.path",
                        "credential.storage.schema",
                        "credential.keyring.location",
                        "credential.keyring.create",
                        "credential.keyring.allow-group-read",
                        "credential.seal.allow-plain-migration",
                        "credential.audit.jdbc.enabled",
                        "credential.audit.jdbc.on-overflow",
                        "credential.audit.jdbc.record-verifications",
                        "credential.console.enabled",
                        "credential.console.path",
                        "credential.console.read-only",
                        "credential.console.authorities.view",
                        "credential.console.authorities.payloads",
                        "credential.console.authorities.operate",
                        "credential.console.authorities.keys",
                        "credential.console.authorities.admin",
                        "credential.cluster.node-id",
                        "credential.cluster.advertised-url",
                        "credential.cluster.lease-duration",
                        "credential.cluster.listen-url",
                        "credential.api-keys.header-name",
                        "credential.api-keys.accept-bearer",
                        "credential.api-keys.accept-tickets",
                        "credential.api-keys.ticket-parameter",
                        "credential.api-keys.install-in",
                        "credential.api-keys.accept",
                        "credential.api-keys.require-https",
                        "credential.api-keys.scopes.wildcards",
                        "credential.api-keys.scopes.known",
                        "credential.api-keys.registries",
                        "credential.api-keys.argon2id.memory",
                        "credential.api-keys.argon2id.iterations",
                        "credential.api-keys.argon2id.parallelism",
                        "credential.api-keys.argon2id.max-concurrent",
                        "credential.api-keys.argon2id.max-wait",
                        "credential.api-keys.cache.enabled",
                        "credential.api-keys.cache.max-size",
                        "credential.api-keys.cache.ttl",
                        "credential.api-keys.leak-reports.enabled",
                        "credential.api-keys.leak-reports.path",
                        "credential.api-keys.leak-reports.public-keys",
                        "credential.api-keys.leak-reports.public-keys-url",
                        "credential.api-keys.leak-reports.action",
                        "credential.api-keys.leak-reports.max-body-size",
                        "credential.api-keys.leak-reports.max-reports",
                        "credential.api-keys.usage.enabled",
                        "credential.api-keys.search.names",
                        "credential.api-keys.search.scopes",
                        "credential.api-keys.rate-limits.store",
                        "credential.api-keys.failed-attempts.limit",
                        "credential.api-keys.failed-attempts.window",
                        "credential.api-keys.purge-interval",
                        "credential.webhook.signers",
                        "credential.webhook.inbound",
                        "credential.webhook.inbox.enabled",
                        "credential.webhook.inbox.retention",
                        "credential.webhook.inbox.threads",
                        "credential.webhook.inbox.max-attempts",
                        "credential.webhook.inbox.retry-backoff.initial",
                        "credential.webhook.inbox.retry-backoff.max",
                        "credential.webhook.dispatcher.enabled",
                        "credential.webhook.dispatcher.max-attempts",
                        "credential.webhook.dispatcher.retry-backoff.initial",
                        "credential.webhook.dispatcher.retry-backoff.max",
                        "credential.webhook.dispatcher.retry-backoff.factor",
                        "credential.webhook.dispatcher.retry-backoff.jitter",
                        "credential.webhook.dispatcher.claim-reclaim-after",
                        "credential.webhook.dispatcher.batch-size",
                        "credential.webhook.dispatcher.poll-interval",
                        "credential.webhook.dispatcher.request-timeout",
                        "credential.webhook.dispatcher.dispatch-wait",
                        "credential.webhook.dispatcher.max-in-flight",
                        "credential.webhook.dispatcher.max-in-flight-per-endpoint",
                        "credential.webhook.dispatcher.max-in-flight-bytes",
                        "credential.webhook.dispatcher.require-audience",
                        "credential.webhook.dispatcher.signature-header",
                        "credential.webhook.dispatcher.headers.delivery-id",
                        "credential.webhook.dispatcher.headers.event-id",
                        "credential.webhook.dispatcher.headers.event-type",
                        "credential.webhook.dispatcher.headers.attempt",
                        "credential.webhook.dispatcher.user-agent",
                        "credential.webhook.dispatcher.allowed-protocols",
                        "credential.webhook.dispatcher.allow-internal-destinations",
                        "credential.webhook.dispatcher.allowed-cidrs",
                        "credential.webhook.dispatcher.proxy",
                        "credential.webhook.dispatcher.ssl-bundle",
                        "credential.webhook.dispatcher.max-payload-size",
                        "credential.webhook.dispatcher.retention",
                        "credential.webhook.dispatcher.payload-retention",
                        "credential.webhook.dispatcher.pause-after",
                        "credential.webhook.dispatcher.secret-overlap",
                        "credential.webhook.dispatcher.operational-events.enabled",
                        "credential.webhook.dispatcher.operational-events.expiry-notice",
                        "credential.webhook.dispatcher.operational-events.grace-notice",
                        "credential.webhook.dispatcher.operational-events.backlog-age",
                        "credential.webhook.dispatcher.endpoints-table",
                        "credential.webhook.dispatcher.deliveries-table",
                        "management.endpoint.credentials.access",
                        "management.endpoint.credentials.cache.time-to-live",
                        "management.endpoint.webhookinbox.access",
                        "management.endpoint.webhookinbox.cache.time-to-live",
                        "management.endpoint.webhooks.access",
                        "management.endpoint.webhooks.cache.time-to-live");
    }

    @Test
    void signerMetadataThenListsEveryProperty() {
        assertThat(properties(SIGNER_METADATA).map(ConfigurationMetadataTests::name))
                .containsExactlyInAnyOrder(
                        "algorithm",
                        "keys",
                        "default-kid",
                        "pqc-algorithm",
                        "signature-header",
                        "audit-success",
                        "audit-failures",
                        "retry.max-attempts",
                        "retry.initial",
                        "retry.max",
                        "http.connect-timeout",
                        "http.request-timeout",
                        "http.ssl-bundle");
    }

    @Test
    void inboundMetadataThenListsEveryProperty() {
        assertThat(properties(INBOUND_METADATA).map(ConfigurationMetadataTests::name))
                .containsExactlyInAnyOrder(
                        "paths",
                        "methods",
                        "allow-unmapped",
                        "scheme",
                        "algorithm",
                        "keys",
                        "pqc-algorithm",
                        "tolerance",
                        "clock-skew",
                        "signature-header",
                        "store-first",
                        "nonce-store",
                        "max-body-size",
                        "audit-success",
                        "audit-failures");
    }

    @Test
    void registryMetadataThenListsEveryProperty() {
        assertThat(properties(REGISTRY_METADATA).map(ConfigurationMetadataTests::name))
                .containsExactlyInAnyOrder(
                        "prefix",
                        "id-bytes",
                        "secret-bytes",
                        "hash-algorithm",
                        "purge-after",
                        "rotation-grace",
                        "track-last-used",
                        "audit-success",
                        "audit-failures",
                        "notify-owners",
                        "rate-limit.limit",
                        "rate-limit.window",
                        "quota.limit",
                        "quota.period",
                        "quota.zone",
                        "max-lifetime",
                        "require-expiry",
                        "disable-after-idle",
                        "imported-tokens");
    }

    @Test
    void importedTokenMetadataThenListsEveryProperty() {
        assertThat(properties(IMPORTED_TOKEN_METADATA).map(ConfigurationMetadataTests::name))
                .containsExactlyInAnyOrder("pattern", "lookup-hash", "pepper");
    }

    @Test
    void propertyThenHasADescription() {
        assertThat(all().filter(property ->
                                property.path("description").asString("").isBlank())
                        .map(ConfigurationMetadataTests::name))
                .isEmpty();
    }

    @Test
    void descriptionThenIsASentence() {
        assertThat(all().map(property -> property.path("description").asString("")))
                .allSatisfy(description -> assertThat(description).matches("[A-Z].*\\."));
    }

    @Test
    void descriptionWhenTypeIsBooleanThenStartsWithWhether() {
        assertThat(all().filter(property ->
                                "java.lang.Boolean".equals(property.path("type").asString("")))
                        .map(property -> property.path("description").asString("")))
                .isNotEmpty()
                .allSatisfy(description -> assertThat(description).startsWith("Whether "));
    }

    @Test
    void propertyThenHasADefaultUnlessMapOrDependent() {
        assertThat(all().filter(property -> !property.has("defaultValue"))
                        .map(ConfigurationMetadataTests::name)
                        .filter(name -> !DEPENDENT.contains(name))
                        .collect(Collectors.toSet()))
                .isEqualTo(MAPS);
    }

    private static Stream<JsonNode> all() {
        return Stream.of(METADATA, REGISTRY_METADATA, IMPORTED_TOKEN_METADATA, SIGNER_METADATA, INBOUND_METADATA)
                .flatMap(ConfigurationMetadataTests::properties);
    }

    private static String name(JsonNode property) {
        return property.path("name").asString();
    }

    /** Of our own module: others on the class path have a resource of the same name. */
    private static Stream<JsonNode> properties(String resource) {
        String module = CredentialProperties.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
        try (InputStream metadata = java.net
                .URI
                .create(module + resource.replace("$", "%24"))
                .toURL()
                .openStream()) {
            return JsonMapper.shared().readTree(metadata).path("properties").valueStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
