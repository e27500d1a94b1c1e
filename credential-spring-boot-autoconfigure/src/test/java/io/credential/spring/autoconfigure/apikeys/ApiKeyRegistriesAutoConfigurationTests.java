package io.credential.spring.autoconfigure.apikeys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.scheduling.TaskScheduler;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.internal.cluster.Leadership;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.PlainCells;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.internal.ManagedLifecycle;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.security.FakeRegistries;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.sqlite.SqliteDataSource;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.MutableClock;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

class ApiKeyRegistriesAutoConfigurationTests {

    private static final Instant PAST = Instant.parse("2020-02-02T02:02:02Z");

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory);
    }

    private static IssuedApiKey issue(ApiKeyRegistry registry) {
        return registry.issue(IssueRequest.forOwner("user-42").scopes("orders:read"));
    }

    @Test
    void contextWhenNoRegistryThenNothingRuns() {
        StarterRunner.bare()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ApiKeyRegistry.class)
                        .doesNotHaveBean(Leadership.class)
                        .doesNotHaveBean(AuditSink.class)
                        .doesNotHaveBean(SmartLifecycle.class));
    }

    @Test
    void registriesWhenNoneIsConfiguredThenEmpty() {
        StarterRunner.bare().run(context -> {
            ApiKeyRegistries registries = context.getBean(ApiKeyRegistries.class);

            assertThat(registries.all()).isEmpty();
            assertThat(registries.forToken("bk_live_0123456789abcdef_0123456789abcdef0123456789abcdef"))
                    .isEmpty();
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> registries.get("live"))
                    .withMessageContaining("credential.api-keys.registries.live.prefix")
                    .returns(ApiKeyErrorCode.BAD_OPT, ApiKeyException::errorCode);
        });
    }

    @Test
    void registriesWhenTheApplicationHasItsOwnThenOnlyThose() {
        StarterRunner.bare()
                .withBean("own", FakeRegistries.class, FakeRegistries::new)
                .run(context -> assertThat(context.getBeanNamesForType(ApiKeyRegistries.class))
                        .containsExactly("own"));
    }

    @Test
    void registryWhenItIsTheOnlyOneThenInjectableByType() {
        runner().run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            assertThat(registry.namespace()).isEqualTo("live");
            assertThat(context.getBean(ApiKeyRegistries.class).all()).containsExactly(registry);
            assertThat(registry.verify(issue(registry).key())).isPresent();
        });
    }

    @Test
    void registriesWhenSeveralThenFoundByNamespace() {
        runner().withPropertyValues("credential.api-keys.registries.test.prefix=tk")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(ApiKeyRegistry.class);
                    ApiKeyRegistries registries = context.getBean(ApiKeyRegistries.class);
                    assertThat(registries.all())
                            .extracting(ApiKeyRegistry::namespace)
                            .containsExactlyInAnyOrder("live", "test");
                    assertThat(registries.get("test").prefix()).isEqualTo("tk");
                });
    }

    @Test
    void registryWhenSetByTheEnvironmentThenConfigured() {
        StarterRunner.bare()
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "test-systemEnvironment",
                                Map.of(
                                        "CREDENTIAL_APIKEYS_REGISTRIES_LIVE_PREFIX",
                                        "ek",
                                        "CREDENTIAL_KEYRING_LOCATION",
                                        "file:" + StarterRunner.keyring(directory)))))
                .withBean(
                        "own",
                        DataSource.class,
                        database::dataSource,
                        definition -> definition.setDestroyMethodName(""))
                .run(context -> assertThat(context.getBean(ApiKeyRegistry.class).prefix())
                        .isEqualTo("ek"));
    }

    @Test
    void getBeanWhenSeveralRegistriesThenExplains() {
        runner().withPropertyValues("credential.api-keys.registries.test.prefix=tk")
                .run(context -> assertThatMissingRegistryIsExplained(context, "configures several"));
    }

    @Test
    void getBeanWhenNoRegistryIsConfiguredThenExplains() {
        StarterRunner.bare().run(context -> assertThatMissingRegistryIsExplained(context, "configures none"));
    }

    @ParameterizedTest
    @ValueSource(classes = {ApiKeyRegistry.class, ApiKeyRegistries.class})
    void getBeanWhenSliceHasNoRegistriesThenExplains(Class<?> wanted) {
        new ApplicationContextRunner()
                .withPropertyValues("credential.api-keys.registries.live.prefix=bk")
                .run(context -> {
                    Throwable failure = catchThrowable(() -> context.getBean(wanted));
                    FailureAnalysis analysis = Analyses.of(failure, context);
                    assertThat(analysis.getDescription())
                            .contains("requires " + wanted.getSimpleName(), "does not create it");
                    assertThat(analysis.getAction()).contains("@AutoConfigureInMemoryCredential");
                });
    }

    private static void assertThatMissingRegistryIsExplained(AssertableApplicationContext context, String reason) {
        Throwable failure = catchThrowable(() -> context.getBean(ApiKeyRegistry.class));
        FailureAnalysis analysis = Analyses.of(failure, context);
        assertThat(analysis.getDescription()).contains("a single ApiKeyRegistry", reason);
        assertThat(analysis.getAction()).contains("credential.api-keys.registries.live.prefix", "ApiKeyRegistries");
    }

    @Test
    void issueWhenRegistryOptionsAreSetThenTheyApply() {
        runner().withPropertyValues(
                        "credential.api-keys.registries.live.id-bytes=10",
                        "credential.api-keys.registries.live.secret-bytes=20",
                        "credential.api-keys.registries.live.hash-algorithm=argon2id",
                        "credential.api-keys.argon2id.memory=64KB",
                        "credential.api-keys.argon2id.iterations=1")
                .run(context -> {
                    String[] parts =
                            issue(context.getBean(ApiKeyRegistry.class)).key().split("_", -1);
                    assertThat(parts[2]).hasSize(20);
                    assertThat(parts[3]).hasSize(40);
                    assertThat(context.getBean(CredentialDatabase.class)
                                    .jdbc()
                                    .sql("select secret_hash from _credential_api_keys")
                                    .query(String.class)
                                    .single())
                            .startsWith("$argon2id$v=19$m=64,t=1,p=1$");
                });
    }

    @Test
    void createdAtWhenAClockIsMarkedThenOfThatClock() {
        MutableClock clock = MutableClock.atNewYear();
        runner().withBean("ours", InstantSource.class, () -> clock, StarterRunner.OUR_CLOCK)
                .withBean("other", Clock.class, () -> Clock.fixed(PAST, ZoneOffset.UTC))
                .run(context -> assertThat(
                                issue(context.getBean(ApiKeyRegistry.class)).createdAt())
                        .isEqualTo(clock.instant()));
    }

    @Test
    void createdAtWhenNoClockIsMarkedThenOfTheSystem() {
        runner().withBean(Clock.class, () -> Clock.fixed(PAST, ZoneOffset.UTC))
                .run(context -> assertThat(
                                issue(context.getBean(ApiKeyRegistry.class)).createdAt())
                        .isAfter(PAST));
    }

    @Test
    void startWhenTwoClocksAreMarkedThenFails() {
        runner().withBean("one", Clock.class, () -> Clock.fixed(PAST, ZoneOffset.UTC), StarterRunner.OUR_CLOCK)
                .withBean("two", Clock.class, () -> Clock.fixed(PAST, ZoneOffset.UTC), StarterRunner.OUR_CLOCK)
                .run(context -> {
                    assertThat(Analyses.of(context).getDescription()).contains("@CredentialClock", "one", "two");
                    assertThat(Analyses.of(context).getAction()).contains("Annotate only one");
                });
    }

    @Test
    void auditSinkWhenApplicationHasOneThenIsUsed() {
        List<AuditEvent> events = new CopyOnWriteArrayList<>();
        runner().withBean(AuditSink.class, () -> events::add).run(context -> {
            issue(context.getBean(ApiKeyRegistry.class));
            assertThat(events).extracting(AuditEvent::name).containsExactly("apikey.issue");
        });
    }

    @Test
    void leadershipWhenApplicationHasOneThenIsUsed() {
        runner().withBean(Leadership.class, OtherLeads::new).run(context -> {
            assertThat(context).hasSingleBean(Leadership.class);
            assertThatThrownBy(() -> issue(context.getBean(ApiKeyRegistry.class)))
                    .isInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void registriesWhenApplicationHasThemThenAreUsed() {
        ApiKeyRegistries own = ownRegistries();
        runner().withBean(ApiKeyRegistries.class, () -> own).run(context -> {
            assertThat(context)
                    .hasSingleBean(ApiKeyRegistries.class)
                    .doesNotHaveBean("credentialApiKeyRegistriesLifecycle");
            assertThat(context.getBean(ApiKeyRegistry.class)).isSameAs(own.get("live"));
        });
    }

    @Test
    void registryWhenApplicationHasOneThenIsLeftAlone() {
        ApiKeyRegistry own = ownRegistries().get("live");
        runner().withBean("own", ApiKeyRegistry.class, () -> own).run(context -> {
            assertThat(context.getBean(ApiKeyRegistry.class)).isSameAs(own);
            assertThat(context).hasSingleBean(ApiKeyRegistries.class);
        });
    }

    @Test
    void plainMigrationThenIsOpenOnlyForNamedTable() {
        runner().run(context -> {
            IssuedApiKey key = issue(context.getBean(ApiKeyRegistry.class));
            Keyring keyring = context.getBean(Keyring.class);
            context.getBean(CredentialDatabase.class)
                    .jdbc()
                    .sql("update _credential_api_keys set owner_id = :owner, scopes = :scopes, metadata = :metadata,"
                            + " row_mac = null")
                    .param("owner", plain(keyring, "user-42"))
                    .param("scopes", plain(keyring, "[]"))
                    .param("metadata", plain(keyring, "{}"))
                    .update();
            assertThat(context.getBean(ApiKeyRegistry.class).verify(key.key())).isEmpty();
            assertThatThrownBy(context.getBean(ApiKeyRegistry.class)::resealSealedColumns)
                    .isInstanceOfSatisfying(
                            ApiKeyException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo("api-key/reseal-window-closed"));
        });
        runner().withPropertyValues("credential.seal.allow-plain-migration=_credential_api_keys")
                .run(context -> {
                    ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                    assertThat(registry.listForOwner("user-42")).isEmpty();
                    registry.resealSealedColumns();
                    assertThat(registry.listForOwner("user-42")).hasSize(1);
                });
    }

    private static String plain(Keyring keyring, String text) {
        return PlainCells.seal(keyring, text.getBytes(StandardCharsets.UTF_8), new SecureRandom());
    }

    @Test
    void schedulerThenIsNoBeanAndEndsWithTheContext() {
        runner().run(context -> {
            assertThat(context).doesNotHaveBean(TaskScheduler.class);
            assertThat(LiveThreads.named("credential-schedule-")).isNotEmpty();
            context.close();
            LiveThreads.awaitNone("credential-schedule-");
            LiveThreads.awaitNone("credential-api-key");
        });
    }

    @Test
    void backgroundWorkWhenBeansAreLazyThenStillRuns() {
        runner().withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> {
                    assertThat(context.getBean("credentialApiKeyRegistriesLifecycle", ManagedLifecycle.class)
                                    .isRunning())
                            .isTrue();
                    assertThat(context.getBean(CredentialSchedule.class).getScheduledTasks())
                            .hasSize(2);
                });
    }

    @Test
    void backgroundWorkWhenStoppedThenCanBeStartedAgain() {
        runner().run(context -> {
            context.stop();
            LiveThreads.awaitNone("credential-schedule-");
            LiveThreads.awaitNone("credential-api-key");
            context.start();
            assertThat(LiveThreads.named("credential-schedule-")).isNotEmpty();
            assertThat(LiveThreads.named("credential-api-key")).isNotEmpty();
        });
    }

    @Test
    void closeWhenLastUseIsPendingThenWritesItFirst() {
        String[] id = new String[1];
        try (HikariDataSource closedWithTheContext = SqliteDataSource.pooled(directory.resolve("own.db"))) {
            StarterRunner.bare()
                    .withPropertyValues(
                            "credential.api-keys.registries.live.prefix=bk",
                            "credential.keyring.location=file:" + StarterRunner.keyring(directory))
                    .withBean(HikariDataSource.class, () -> closedWithTheContext)
                    .run(context -> {
                        ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
                        IssuedApiKey key = issue(registry);
                        id[0] = key.id();
                        assertThat(registry.verify(key.key())).isPresent();
                    });
            assertThat(closedWithTheContext.isClosed()).isTrue();
        }
        try (HikariDataSource again = SqliteDataSource.pooled(directory.resolve("own.db"))) {
            assertThat(CredentialDatabase.of(again)
                            .jdbc()
                            .sql("select last_used_at from _credential_api_keys where id = :id")
                            .param("id", id[0])
                            .query(Long.class)
                            .single())
                    .isPositive();
        }
    }

    @Test
    void issueWhenSecurityAndActuatorAreAbsentThenWorks() {
        runner().withClassLoader(
                        new FilteredClassLoader("org.springframework.security", "org.springframework.boot.actuate"))
                .run(context -> assertThat(
                                issue(context.getBean(ApiKeyRegistry.class)).key())
                        .startsWith("bk_live_"));
    }

    @Test
    void lifecyclesThenStartBeforeAndStopAfterWebServer() {
        // The phases of Boot's web server lifecycles, which are private to it.
        int stopsServer = SmartLifecycle.DEFAULT_PHASE - 2048;
        runner().run(context -> assertThat(
                        context.getBeansOfType(SmartLifecycle.class).values())
                .hasSize(4)
                .allSatisfy(lifecycle -> assertThat(lifecycle.getPhase()).isLessThan(stopsServer)));
    }

    private ApiKeyRegistries ownRegistries() {
        return JdbcApiKeyRegistries.builder(
                        database.migrate(JdbcApiKeyRegistries.SCHEMA), Keyring.generate(new SecureRandom()))
                .registry(ApiKeyRegistryOptions.forNamespace("live"))
                .build();
    }
}
