package io.credential.spring.autoconfigure;

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
    private static final String REGISTRY_METADATA = "META-INF/spring/configuration-metadata/"
            + "io.credential.spring.autoconfigure.ApiKeysProperties$Registry.json";

    /** A map has no default but to be empty, for which the format has no form. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of("credential.api-keys.registries");

    @Test
    void everyPropertyIsThere() {
        assertThat(properties(METADATA).map(ConfigurationMetadataTests::name))
                .contains(
                        "credential.mode",
                        "credential.storage.path",
                        "credential.storage.schema",
                        "credential.keyring.location",
                        "credential.keyring.create",
                        "credential.seal.allow-plain-migration",
                        "credential.cluster.node-id",
                        "credential.cluster.advertised-url",
                        "credential.cluster.lease-duration",
                        "credential.api-keys.header-name",
                        "credential.api-keys.accept",
                        "credential.api-keys.registries",
                        "credential.api-keys.argon2id.memory",
                        "credential.api-keys.argon2id.iterations",
                        "credential.api-keys.argon2id.parallelism",
                        "credential.api-keys.argon2id.max-concurrent",
                        "credential.api-keys.argon2id.max-wait",
                        "credential.api-keys.purge-interval");
    }

    @Test
    void everyPropertyOfARegistryIsThere() {
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
                        "audit-failures");
    }

    @Test
    void everyPropertyHasADescription() {
        assertThat(all().filter(property ->
                                property.path("description").asString("").isBlank())
                        .map(ConfigurationMetadataTests::name))
                .isEmpty();
    }

    @Test
    void everyDescriptionIsASentence() {
        assertThat(all().map(property -> property.path("description").asString("")))
                .allSatisfy(description -> assertThat(description).matches("[A-Z].*\\."));
    }

    @Test
    void everyTruthValueSaysWhether() {
        assertThat(all().filter(property ->
                                "java.lang.Boolean".equals(property.path("type").asString("")))
                        .map(property -> property.path("description").asString("")))
                .isNotEmpty()
                .allSatisfy(description -> assertThat(description).startsWith("Whether "));
    }

    @Test
    void everyPropertyHasADefault() {
        assertThat(all().filter(property -> !property.has("defaultValue"))
                        .map(ConfigurationMetadataTests::name)
                        .collect(Collectors.toSet()))
                .isEqualTo(WITHOUT_DEFAULT);
    }

    private static Stream<JsonNode> all() {
        return Stream.concat(properties(METADATA), properties(REGISTRY_METADATA));
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
