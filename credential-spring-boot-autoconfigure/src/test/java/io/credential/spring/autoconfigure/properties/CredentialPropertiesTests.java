package io.credential.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.secret.Argon2Settings;
import io.credential.secret.HashAlgorithm;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.storage.SchemaMode;

import static org.assertj.core.api.Assertions.assertThat;

class CredentialPropertiesTests {

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    @Test
    void bindWhenNothingIsConfiguredThenDefaults() {
        runner.run(context -> {
            CredentialProperties properties = context.getBean(CredentialProperties.class);
            assertThat(properties.mode()).isEqualTo(Mode.SINGLE);
            assertThat(properties.storage())
                    .isEqualTo(new CredentialProperties.Storage("./data/credential.db", SchemaMode.MIGRATE));
            assertThat(properties.keyring().location()).isEqualTo("file:./data/credential-keyring.json");
            assertThat(properties.createKeyring()).isTrue();
            assertThat(properties.seal().allowPlainMigration()).isEmpty();
            assertThat(properties.cluster())
                    .isEqualTo(new CredentialProperties.Cluster("", "", Duration.ofSeconds(10)));
            assertThat(properties.apiKeys().headerName()).isEqualTo("X-API-Key");
            assertThat(properties.apiKeys().accept()).isEmpty();
            assertThat(properties.apiKeys().registries()).isEmpty();
            assertThat(properties.apiKeys().purgeInterval()).isEqualTo(Duration.ofHours(1));
        });
    }

    @Test
    void argon2idWhenNotConfiguredThenCoreDefaults() {
        runner.run(context -> assertThat(context.getBean(CredentialProperties.class)
                        .apiKeys()
                        .argon2id()
                        .settings())
                .isEqualTo(Argon2Settings.defaults()));
    }

    @Test
    void registryWhenOnlyPrefixIsSetThenCoreDefaults() {
        runner.withPropertyValues("credential.api-keys.registries.live.prefix=bk")
                .run(context -> assertThat(registry(context.getBean(CredentialProperties.class), "live"))
                        .isEqualTo(ApiKeyRegistryOptions.forNamespace("live")));
    }

    @Test
    void createKeyringWhenClusterOrSwitchedOffThenFalse() {
        runner.withPropertyValues("credential.mode=cluster")
                .run(context -> assertThat(
                                context.getBean(CredentialProperties.class).createKeyring())
                        .isFalse());
        runner.withPropertyValues("credential.keyring.create=false")
                .run(context -> assertThat(
                                context.getBean(CredentialProperties.class).createKeyring())
                        .isFalse());
    }

    @Test
    void bindWhenPropertiesAreSetThenTheirValuesAreBound() {
        runner.withPropertyValues(
                        "credential.mode=cluster",
                        "credential.storage.path=/var/lib/x.db",
                        "credential.storage.schema=validate",
                        "credential.keyring.location=classpath:ring.json",
                        "credential.keyring.create=false",
                        "credential.seal.allow-plain-migration=_credential_api_keys",
                        "credential.cluster.node-id=n1",
                        "credential.cluster.advertised-url=https://n1.example.org:8443/x",
                        "credential.cluster.lease-duration=30s",
                        "credential.api-keys.header-name=X-Token",
                        "credential.api-keys.accept=live,test",
                        "credential.api-keys.purge-interval=5m",
                        "credential.api-keys.argon2id.memory=64MB",
                        "credential.api-keys.argon2id.iterations=3",
                        "credential.api-keys.argon2id.parallelism=2",
                        "credential.api-keys.argon2id.max-concurrent=8",
                        "credential.api-keys.argon2id.max-wait=500ms",
                        "credential.api-keys.registries.test.prefix=tk",
                        "credential.api-keys.registries.live.prefix=lk",
                        "credential.api-keys.registries.live.id-bytes=12",
                        "credential.api-keys.registries.live.secret-bytes=32",
                        "credential.api-keys.registries.live.hash-algorithm=argon2id",
                        "credential.api-keys.registries.live.purge-after=1d",
                        "credential.api-keys.registries.live.rotation-grace=2h",
                        "credential.api-keys.registries.live.track-last-used=false",
                        "credential.api-keys.registries.live.audit-success=false",
                        "credential.api-keys.registries.live.audit-failures=false")
                .run(context -> {
                    CredentialProperties properties = context.getBean(CredentialProperties.class);
                    assertThat(properties.mode()).isEqualTo(Mode.CLUSTER);
                    assertThat(properties.storage())
                            .isEqualTo(new CredentialProperties.Storage("/var/lib/x.db", SchemaMode.VALIDATE));
                    assertThat(properties.keyring())
                            .isEqualTo(new CredentialProperties.Keyring("classpath:ring.json", false, false));
                    assertThat(properties.seal().allowPlainMigration()).containsExactly("_credential_api_keys");
                    assertThat(properties.cluster())
                            .isEqualTo(new CredentialProperties.Cluster(
                                    "n1", "https://n1.example.org:8443/x", Duration.ofSeconds(30)));
                    ApiKeysProperties apiKeys = properties.apiKeys();
                    assertThat(apiKeys.headerName()).isEqualTo("X-Token");
                    assertThat(apiKeys.accept()).containsExactly("live", "test");
                    assertThat(apiKeys.purgeInterval()).isEqualTo(Duration.ofMinutes(5));
                    assertThat(apiKeys.argon2id())
                            .isEqualTo(new ApiKeysProperties.Argon2id(
                                    DataSize.ofMegabytes(64), 3, 2, 8, Duration.ofMillis(500)));
                    assertThat(registry(properties, "live"))
                            .isEqualTo(new ApiKeyRegistryOptions(
                                    "live",
                                    "lk",
                                    12,
                                    32,
                                    HashAlgorithm.ARGON2ID,
                                    Duration.ofDays(1),
                                    Duration.ofHours(2),
                                    false,
                                    false,
                                    false,
                                    null));
                    assertThat(registry(properties, "test").prefix()).isEqualTo("tk");
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            credential.storage.path                              | a.db?mode=ro
            credential.seal.allow-plain-migration                | _credential_api_key
            credential.cluster.node-id                           | n 1
            credential.cluster.advertised-url                    | n1.example.org
            credential.cluster.advertised-url                    | ftp://n1.example.org
            credential.cluster.advertised-url                    | https://user:pass@n1.example.org
            credential.cluster.lease-duration                    | 2s
            credential.cluster.lease-duration                    | 6m
            credential.api-keys.header-name                      | X API Key
            credential.api-keys.header-name                      | authorization
            credential.api-keys.header-name                      | Cookie
            credential.api-keys.purge-interval                   | 500ms
            credential.api-keys.argon2id.memory                  | 100B
            credential.api-keys.argon2id.memory                  | 2GB
            credential.api-keys.argon2id.memory                  | 4KB
            credential.api-keys.argon2id.iterations              | 0
            credential.api-keys.argon2id.parallelism             | 17
            credential.api-keys.argon2id.max-concurrent          | 0
            credential.api-keys.argon2id.max-wait                | -1s
            credential.api-keys.registries.live.prefix           | b_k
            credential.api-keys.registries.live.id-bytes         | 7
            credential.api-keys.registries.live.id-bytes         | 33
            credential.api-keys.registries.live.secret-bytes     | 15
            credential.api-keys.registries.live.purge-after      | -1d
            credential.api-keys.registries.live.rotation-grace   | 59s
            """)
    void startWhenValueIsInvalidThenNamesTheProperty(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(refusal(context).getName()).isEqualTo(property));
    }

    @ParameterizedTest
    @CsvSource({
        "credential.api-keys.argon2id.memory, 8KB",
        "credential.api-keys.argon2id.memory, 1GB",
        "credential.api-keys.argon2id.iterations, 64",
        "credential.api-keys.argon2id.parallelism, 16",
        "credential.cluster.lease-duration, 3s",
        "credential.cluster.lease-duration, 5m",
        "credential.api-keys.registries.live.id-bytes, 8",
        "credential.api-keys.registries.live.id-bytes, 32",
        "credential.api-keys.registries.live.secret-bytes, 64",
        "credential.api-keys.registries.live.rotation-grace, 90d"
    })
    void startWhenValueIsAtTheEdgeOfItsRangeThenSucceeds(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenNamespaceHasAnUnderscoreThenRefused() {
        runner.withPropertyValues("credential.api-keys.registries.my_keys.prefix=bk")
                .run(context -> assertThat(refusal(context)).satisfies(refusal -> {
                    assertThat(refusal.getName()).isEqualTo("credential.api-keys.registries.my_keys");
                    assertThat(refusal.getReason()).contains("without '_'");
                }));
    }

    @Test
    void startWhenAcceptedNamespaceHasNoRegistryThenRefused() {
        runner.withPropertyValues(
                        "credential.api-keys.registries.live.prefix=bk", "credential.api-keys.accept=live,tset")
                .run(context -> assertThat(refusal(context)).satisfies(refusal -> {
                    assertThat(refusal.getName()).isEqualTo("credential.api-keys.accept");
                    assertThat(refusal.getValue()).isEqualTo("tset");
                }));
    }

    @Test
    void startWhenClusterIsToCreateAKeyringThenRefused() {
        runner.withPropertyValues("credential.mode=cluster", "credential.keyring.create=true")
                .run(context -> assertThat(refusal(context).getName()).isEqualTo("credential.keyring.create"));
    }

    @Test
    void startWhenPropertyIsUnknownAndBeansAreLazyThenFails() {
        runner.withPropertyValues("credential.api-keys.purge-intervall=1h")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasFailed());
    }

    private static ApiKeyRegistryOptions registry(CredentialProperties properties, String namespace) {
        return Optional.ofNullable(properties.apiKeys().registries().get(namespace))
                .orElseThrow()
                .options(namespace);
    }

    private static InvalidConfigurationPropertyValueException refusal(AssertableApplicationContext context) {
        Throwable cause = context.getStartupFailure();
        while (cause != null) {
            if (cause instanceof InvalidConfigurationPropertyValueException refusal) {
                return refusal;
            }
            cause = cause.getCause();
        }
        throw new AssertionError("Not refused for a value: " + context.getStartupFailure());
    }
}
