package io.credential.spring.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.internal.Argon2Settings;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.storage.SchemaMode;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class CredentialPropertiesTests {

    private static final String INBOUND = "credential.webhook.inbound.<name>.";
    private static final String DISABLE_AFTER_IDLE = "credential.api-keys.registries.<namespace>.disable-after-idle";
    private static final String TRACK_LAST_USED = "credential.api-keys.registries.<namespace>.track-last-used";
    private static final String SCHEME = INBOUND + "scheme";
    private static final String STORE_FIRST = INBOUND + "store-first";

    /** A value other than the default for each property; {@code <namespace>} and {@code <name>} are called live. */
    private static final String VALUES = """
            credential.mode                                            | cluster
            credential.storage.path                                    | /var/lib/x.db
            credential.storage.schema                                  | validate
            credential.keyring.location                                | classpath:ring.json
            credential.keyring.create                                  | false
            credential.keyring.allow-group-read                        | true
            credential.seal.allow-plain-migration                      | _credential_api_keys
            credential.audit.jdbc.enabled                              | true
            credential.audit.jdbc.on-overflow                          | drop
            credential.audit.jdbc.record-verifications                 | true
            credential.cluster.node-id                                 | n1
            credential.cluster.advertised-url                          | https://n1.example.org:8443/x
            credential.cluster.lease-duration                          | 30s
            credential.cluster.listen-url                              | jdbc:postgresql://db/x
            credential.api-keys.header-name                            | X-Token
            credential.api-keys.accept-bearer                          | true
            credential.api-keys.accept-tickets                         | true
            credential.api-keys.ticket-parameter                       | t
            credential.api-keys.install-in                             | every-chain
            credential.api-keys.accept                                 | live
            credential.api-keys.require-https                          | false
            credential.api-keys.scopes.wildcards                       | true
            credential.api-keys.scopes.known                           | orders:read
            credential.api-keys.purge-interval                         | 5m
            credential.api-keys.argon2id.memory                        | 64MB
            credential.api-keys.argon2id.iterations                    | 3
            credential.api-keys.argon2id.parallelism                   | 2
            credential.api-keys.argon2id.max-concurrent                | 8
            credential.api-keys.argon2id.max-wait                      | 500ms
            credential.api-keys.leak-reports.enabled | true
            credential.api-keys.leak-reports.path | /leaks
            credential.api-keys.leak-reports.public-keys-url | https://partner.example/keys
            credential.api-keys.leak-reports.action | revoke
            credential.api-keys.leak-reports.max-body-size | 2MB
            credential.api-keys.leak-reports.max-reports | 7
            credential.api-keys.leak-reports.public-keys | k1
            credential.api-keys.registries.<namespace>.prefix          | lk
            credential.api-keys.registries.<namespace>.id-bytes        | 12
            credential.api-keys.registries.<namespace>.secret-bytes    | 32
            credential.api-keys.registries.<namespace>.hash-algorithm  | argon2id
            credential.api-keys.registries.<namespace>.purge-after     | 1d
            credential.api-keys.registries.<namespace>.rotation-grace  | 2h
            credential.api-keys.registries.<namespace>.track-last-used | false
            credential.api-keys.registries.<namespace>.audit-success   | false
            credential.api-keys.registries.<namespace>.audit-failures  | false
            credential.api-keys.registries.<namespace>.notify-owners   | true
            credential.api-keys.registries.<namespace>.rate-limit.limit | 100
            credential.api-keys.registries.<namespace>.rate-limit.window | 30s
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.pattern | sk_.+
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.lookup-hash | sha256
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.pepper | pepper
            credential.api-keys.registries.<namespace>.quota.limit   | 1000
            credential.api-keys.registries.<namespace>.quota.period  | day
            credential.api-keys.registries.<namespace>.quota.zone    | Asia/Kathmandu
            credential.api-keys.registries.<namespace>.max-lifetime       | 365d
            credential.api-keys.registries.<namespace>.require-expiry     | true
            credential.api-keys.registries.<namespace>.disable-after-idle | 90d
            credential.api-keys.cache.enabled                          | true
            credential.api-keys.cache.max-size                         | 10
            credential.api-keys.cache.ttl                              | 5s
            credential.api-keys.usage.enabled                          | true
            credential.api-keys.search.names                           | true
            credential.api-keys.search.scopes                          | true
            credential.api-keys.rate-limits.store                      | redis
            credential.api-keys.failed-attempts.limit                  | 10
            credential.api-keys.failed-attempts.window                 | 30s
            credential.webhook.inbound.<name>.paths                    | /a,/b
            credential.webhook.inbound.<name>.methods                  | PUT,POST
            credential.webhook.inbound.<name>.allow-unmapped           | true
            credential.webhook.inbound.<name>.scheme                   | github
            credential.webhook.inbound.<name>.algorithm                | pqc-pem
            credential.webhook.inbound.<name>.keys                     | v1
            credential.webhook.inbound.<name>.pqc-algorithm            | ml-dsa-87
            credential.webhook.inbound.<name>.tolerance                | 2m
            credential.webhook.inbound.<name>.clock-skew               | 3s
            credential.webhook.inbound.<name>.signature-header         | X-Signature
            credential.webhook.inbound.<name>.nonce-store              | jdbc
            credential.webhook.inbound.<name>.store-first              | true
            credential.webhook.inbound.<name>.max-body-size            | 2MB
            credential.webhook.inbound.<name>.audit-success            | false
            credential.webhook.inbound.<name>.audit-failures           | false
            credential.webhook.inbox.enabled                           | true
            credential.webhook.inbox.retention                         | 7d
            credential.webhook.inbox.threads                           | 2
            credential.webhook.inbox.max-attempts                      | 3
            credential.webhook.inbox.retry-backoff.initial             | 2s
            credential.webhook.inbox.retry-backoff.max                 | 10m
            credential.webhook.signers.<name>.algorithm                | pqc-pem
            credential.webhook.signers.<name>.keys                     | v1
            credential.webhook.signers.<name>.default-kid              | v1
            credential.webhook.signers.<name>.pqc-algorithm            | ml-dsa-65
            credential.webhook.signers.<name>.signature-header         | X-Signed
            credential.webhook.signers.<name>.audit-success            | false
            credential.webhook.signers.<name>.audit-failures           | false
            credential.webhook.signers.<name>.retry.max-attempts       | 4
            credential.webhook.signers.<name>.retry.initial            | 600ms
            credential.webhook.signers.<name>.retry.max                | 11s
            credential.webhook.signers.<name>.http.connect-timeout     | 6s
            credential.webhook.signers.<name>.http.request-timeout     | 16s
            credential.webhook.signers.<name>.http.ssl-bundle          | trust
            credential.webhook.dispatcher.enabled                      | false
            credential.webhook.dispatcher.max-attempts                 | 9
            credential.webhook.dispatcher.retry-backoff.initial        | 6s
            credential.webhook.dispatcher.retry-backoff.max            | 61m
            credential.webhook.dispatcher.retry-backoff.factor         | 2.5
            credential.webhook.dispatcher.retry-backoff.jitter         | 0.2
            credential.webhook.dispatcher.claim-reclaim-after          | 6m
            credential.webhook.dispatcher.batch-size                   | 101
            credential.webhook.dispatcher.poll-interval                | 1500ms
            credential.webhook.dispatcher.request-timeout              | 17s
            credential.webhook.dispatcher.dispatch-wait                | 2500ms
            credential.webhook.dispatcher.max-in-flight                | 257
            credential.webhook.dispatcher.max-in-flight-per-endpoint   | 17
            credential.webhook.dispatcher.max-in-flight-bytes          | 65MB
            credential.webhook.dispatcher.require-audience             | true
            credential.webhook.dispatcher.signature-header             | X-Hook
            credential.webhook.dispatcher.headers.delivery-id          | X-Delivery
            credential.webhook.dispatcher.headers.event-id             | X-Event
            credential.webhook.dispatcher.headers.event-type           | X-Topic
            credential.webhook.dispatcher.headers.attempt              | X-Try
            credential.webhook.dispatcher.user-agent                   | shop/7
            credential.webhook.dispatcher.allowed-protocols            | https
            credential.webhook.dispatcher.allow-internal-destinations  | true
            credential.webhook.dispatcher.allowed-cidrs                | 10.20.0.0/16
            credential.webhook.dispatcher.proxy                        | http://proxy.example.org:3128
            credential.webhook.dispatcher.ssl-bundle                   | egress
            credential.webhook.dispatcher.max-payload-size             | 3MB
            credential.webhook.dispatcher.retention                    | 31d
            credential.webhook.dispatcher.payload-retention            | 4d
            credential.webhook.dispatcher.pause-after                  | 3d
            credential.webhook.dispatcher.secret-overlap               | 2h
            credential.webhook.dispatcher.operational-events.enabled       | true
            credential.webhook.dispatcher.operational-events.expiry-notice | 8d
            credential.webhook.dispatcher.operational-events.grace-notice  | 2d
            credential.webhook.dispatcher.operational-events.backlog-age   | 16m
            credential.webhook.dispatcher.endpoints-table              | our_endpoints
            credential.webhook.dispatcher.deliveries-table             | our_deliveries
            """;

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
                    .isEqualTo(new CredentialProperties.Cluster("", "", Duration.ofSeconds(10), ""));
            ApiKeysProperties apiKeys = context.getBean(ApiKeysProperties.class);
            assertThat(apiKeys.headerName()).containsExactly("X-API-Key");
            assertThat(apiKeys.acceptBearer()).isFalse();
            assertThat(apiKeys.acceptTickets()).isFalse();
            assertThat(apiKeys.ticketParameter()).isEqualTo("ticket");
            assertThat(apiKeys.accept()).isEmpty();
            assertThat(apiKeys.registries()).isEmpty();
            assertThat(apiKeys.purgeInterval()).isEqualTo(Duration.ofHours(1));
        });
    }

    @Test
    void argon2idWhenNotConfiguredThenCoreDefaults() {
        runner.run(context -> assertThat(
                        context.getBean(ApiKeysProperties.class).argon2id().settings())
                .isEqualTo(Argon2Settings.defaults()));
    }

    @Test
    void registryWhenOnlyPrefixIsSetThenCoreDefaults() {
        runner.withPropertyValues("credential.api-keys.registries.live.prefix=bk")
                .run(context -> assertThat(registry(context.getBean(ApiKeysProperties.class), "live"))
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
                        "credential.cluster.listen-url=jdbc:postgresql://db/x?password=hidden",
                        "credential.api-keys.header-name=X-Token, X-Old-Token",
                        "credential.api-keys.scopes.wildcards=true",
                        "credential.api-keys.scopes.known=orders:read,orders:write",
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
                        "credential.api-keys.registries.live.max-lifetime=365d",
                        "credential.api-keys.registries.live.require-expiry=true",
                        "credential.api-keys.registries.live.track-last-used=false",
                        "credential.api-keys.registries.live.audit-success=false",
                        "credential.api-keys.registries.live.audit-failures=false",
                        "credential.api-keys.registries.live.rate-limit.limit=100",
                        "credential.api-keys.registries.live.rate-limit.window=30s",
                        "credential.api-keys.registries.live.imported-tokens.old.pattern=sk_.{32}",
                        "credential.api-keys.registries.live.imported-tokens.old.lookup-hash=sha256")
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
                                    "n1",
                                    "https://n1.example.org:8443/x",
                                    Duration.ofSeconds(30),
                                    "jdbc:postgresql://db/x?password=hidden"));
                    assertThat(properties.toString()).doesNotContain("hidden");
                    ApiKeysProperties apiKeys = context.getBean(ApiKeysProperties.class);
                    assertThat(apiKeys.headerName()).containsExactly("X-Token", "X-Old-Token");
                    assertThat(apiKeys.accept()).containsExactly("live", "test");
                    assertThat(apiKeys.purgeInterval()).isEqualTo(Duration.ofMinutes(5));
                    assertThat(apiKeys.argon2id())
                            .isEqualTo(new ApiKeysProperties.Argon2id(
                                    DataSize.ofMegabytes(64), 3, 2, 8, Duration.ofMillis(500)));
                    assertThat(registry(apiKeys, "live"))
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
                                    null,
                                    new RateLimit(100, Duration.ofSeconds(30)),
                                    List.of(ForeignTokenForm.byHash("sk_.{32}", ForeignHashAlgorithm.SHA256)),
                                    null,
                                    Set.of(),
                                    false,
                                    Duration.ofDays(365),
                                    true,
                                    null));
                    assertThat(apiKeys.scopes())
                            .isEqualTo(new ApiKeysProperties.Scopes(true, List.of("orders:read", "orders:write")));
                    assertThat(registry(apiKeys, "test").prefix()).isEqualTo("tk");
                });
    }

    private static Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        VALUES.lines().forEach(row -> {
            int bar = row.indexOf('|');
            values.put(row.substring(0, bar).strip(), row.substring(bar + 1).strip());
        });
        return values;
    }

    static Stream<Arguments> rows() {
        return values().entrySet().stream().map(row -> arguments(row.getKey(), row.getValue()));
    }

    @Test
    void valuesThenAreThoseOfEveryProperty() {
        assertThat(values().keySet()).isEqualTo(PropertyMetadata.boundHere());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void bindWhenEveryPropertyIsSetThenHasItsValue(String property, String value) {
        runner.withPropertyValues(values().entrySet().stream()
                        .filter(row -> isSetWith(property, row.getKey()))
                        .flatMap(row -> assignments(row.getKey(), row.getValue()))
                        .toArray(String[]::new))
                .run(context -> {
                    Bound bound = bound(context, property);
                    if (bound.value() instanceof Map<?, ?> keys) {
                        assertThat(keys.keySet()).hasToString("[" + value + "]");
                    } else {
                        assertThat(bound.value()).isNotNull().isEqualTo(converted(value, bound.type()));
                    }
                    String otherwise = requireNonNull(
                                    PropertyMetadata.properties().get(property))
                            .path("defaultValue")
                            .asString("");
                    assertThat(otherwise.isEmpty() ? null : converted(otherwise, bound.type()))
                            .as("the default")
                            .isNotEqualTo(bound.value());
                });
    }

    /**
     * A scheme of others takes the place of what our own has, and the inbox that of a nonce store. Idle keys are found only if
     * last uses are tracked.
     */
    private static boolean isSetWith(String property, String other) {
        if (other.equals(property.equals(DISABLE_AFTER_IDLE) ? TRACK_LAST_USED : DISABLE_AFTER_IDLE)) {
            return false;
        }
        return (property.equals(SCHEME) || property.equals(STORE_FIRST))
                ? !other.startsWith(INBOUND)
                        || other.equals(property)
                        || other.equals(SCHEME)
                        || other.equals(INBOUND + "paths")
                : !other.equals(SCHEME) && !other.equals(STORE_FIRST);
    }

    private static Stream<String> assignments(String property, String value) {
        String name = property.replaceAll("<\\w+>", "live");
        if (property.equals(SCHEME)) {
            return Stream.of(name + "=" + value, name.replace(".scheme", ".keys.v1") + "=secret");
        }
        if (name.endsWith(".public-keys")) {
            return Stream.of(name + "." + value + "=PEM");
        }
        if (!name.endsWith(".keys")) {
            return Stream.of(name + "=" + value);
        }
        String key = name + "." + value;
        return name.contains(".signers.")
                ? Stream.of(key + ".public-key=PEM", key + ".private-key=PEM")
                : Stream.of(key + ".public-key=PEM");
    }

    /** Follows the name of a property through the records, from the one with the longest prefix. */
    private static Bound bound(ApplicationContext context, String property) {
        Class<?> root = Stream.of(
                        ApiKeysProperties.class,
                        AuditLogProperties.class,
                        WebhookDispatcherProperties.class,
                        WebhookInboxProperties.class,
                        WebhookProperties.class,
                        CredentialProperties.class)
                .filter(type -> property.startsWith(prefix(type)))
                .findFirst()
                .orElseThrow();
        Bound bound = new Bound(context.getBean(root), root);
        String rest = property.substring(prefix(root).length());
        for (String element : StringUtils.delimitedListToStringArray(rest, ".")) {
            Object parent = requireNonNull(bound.value(), property);
            if (parent instanceof Map<?, ?> entries) {
                bound = new Bound(entries.get("live"), Object.class);
            } else {
                RecordComponent component = Stream.of(parent.getClass().getRecordComponents())
                        .filter(candidate -> DataObjectPropertyName.toDashedForm(candidate.getName())
                                .equals(element))
                        .findFirst()
                        .orElseThrow();
                bound = new Bound(
                        ReflectionUtils.invokeMethod(component.getAccessor(), parent), component.getGenericType());
            }
        }
        return bound;
    }

    private static String prefix(Class<?> type) {
        return requireNonNull(AnnotationUtils.findAnnotation(type, ConfigurationProperties.class))
                        .value() + ".";
    }

    private static @Nullable Object converted(String text, Type type) {
        return ApplicationConversionService.getSharedInstance()
                .convert(
                        text,
                        TypeDescriptor.valueOf(String.class),
                        new TypeDescriptor(ResolvableType.forType(type), null, null));
    }

    private record Bound(@Nullable Object value, Type type) {}

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            credential.storage.path                              | a.db?mode=ro
            credential.storage.path                              | ${NO_SUCH_NAME}
            credential.keyring.location                          | file:${NO_SUCH_NAME}/keyring.json
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
            credential.api-keys.header-name                      | X-Token,x-token
            credential.api-keys.header-name                      | A,B,C,D,E,F,G,H,I
            credential.api-keys.ticket-parameter                 | a b
            credential.api-keys.purge-interval                   | 500ms
            credential.api-keys.leak-reports.enabled | true
            credential.api-keys.leak-reports.path | leaks
            credential.api-keys.leak-reports.path | /leaks/*
            credential.api-keys.leak-reports.path | /leaks/
            credential.api-keys.leak-reports.public-keys-url | http://partner.example/keys
            credential.api-keys.leak-reports.public-keys-url | https:/keys
            credential.api-keys.leak-reports.max-body-size | 0B
            credential.api-keys.leak-reports.max-body-size | 11MB
            credential.api-keys.leak-reports.max-reports | 0
            credential.api-keys.leak-reports.max-reports | 1001
            credential.api-keys.argon2id.memory                  | 100B
            credential.api-keys.argon2id.memory                  | 2GB
            credential.api-keys.argon2id.memory                  | 4KB
            credential.api-keys.argon2id.iterations              | 0
            credential.api-keys.argon2id.parallelism             | 17
            credential.api-keys.argon2id.max-concurrent          | 0
            credential.api-keys.argon2id.max-wait                | -1s
            credential.api-keys.registries.live.prefix           | b_k
            credential.api-keys.registries.live.quota.limit      | 0
            credential.api-keys.registries.live.quota.limit      | 1000000001
            credential.api-keys.registries.live.id-bytes         | 7
            credential.api-keys.registries.live.id-bytes         | 33
            credential.api-keys.registries.live.secret-bytes     | 15
            credential.api-keys.registries.live.purge-after      | -1d
            credential.api-keys.registries.live.rotation-grace   | 59s
            credential.api-keys.registries.live.max-lifetime     | 59s
            credential.api-keys.registries.live.max-lifetime     | 36501d
            credential.api-keys.registries.live.disable-after-idle | 23h
            credential.api-keys.registries.live.disable-after-idle | 3651d
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
        "credential.api-keys.registries.live.rotation-grace, 90d",
        "credential.api-keys.registries.live.max-lifetime, 1m",
        "credential.api-keys.registries.live.max-lifetime, 36500d",
        "credential.api-keys.registries.live.disable-after-idle, 1d",
        "credential.api-keys.registries.live.disable-after-idle, 3650d"
    })
    void startWhenValueIsAtTheEdgeOfItsRangeThenSucceeds(String property, String value) {
        runner.withPropertyValues(property + "=" + value)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void startWhenIdleKeysCannotBeFoundThenNamesBoth() {
        String registry = "credential.api-keys.registries.live.";
        runner.withPropertyValues(registry + "track-last-used=false", registry + "disable-after-idle=90d")
                .run(context -> {
                    assertThat(refusal(context).getName()).isEqualTo(registry + "disable-after-idle");
                    assertThat(refusal(context).getReason()).contains("disable-after-idle", "track-last-used");
                });
    }

    @ParameterizedTest
    @CsvSource({
        "credential.cluster.advertised-url, https://user:hidden@n1.example.org",
        "credential.webhook.dispatcher.proxy, http://user:hidden@proxy.example.org:3128",
        "credential.webhook.dispatcher.proxy, http://user:hidden%@proxy.example.org:3128"
    })
    void startWhenUrlHasPasswordThenNotShown(String property, String value) {
        runner.withPropertyValues(property + "=" + value).run(context -> {
            InvalidConfigurationPropertyValueException refusal = refusal(context);
            assertThat(refusal.getName()).isEqualTo(property);
            assertThat(refusal.getValue() + refusal.getReason()).doesNotContain("hidden");
            assertThat(refusal).hasNoCause();
        });
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

    private static ApiKeyRegistryOptions registry(ApiKeysProperties properties, String namespace) {
        return Optional.ofNullable(properties.registries().get(namespace))
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
