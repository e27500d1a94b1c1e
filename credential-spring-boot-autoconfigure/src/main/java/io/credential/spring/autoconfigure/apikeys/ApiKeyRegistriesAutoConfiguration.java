package io.credential.spring.autoconfigure.apikeys;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.audit.AuditSink;
import io.credential.internal.cluster.ClockComparison;
import io.credential.internal.cluster.Leadership;
import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.audit.internal.AuditQueue;
import io.credential.spring.autoconfigure.audit.internal.CurrentActor;
import io.credential.spring.autoconfigure.cluster.ClusterAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.internal.CredentialPhases;
import io.credential.spring.autoconfigure.internal.ManagedLifecycle;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.keyring.KeyringAutoConfiguration;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.CredentialProperties.Mode;
import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Configures the API-key registries and their background work.
 *
 * @since 0.1.0
 */
@AutoConfiguration(
        after = {
            CredentialDatabaseAutoConfiguration.class,
            KeyringAutoConfiguration.class,
            ClusterAutoConfiguration.class,
            AuditAutoConfiguration.class
        })
@ConditionalOnClass(ApiKeyRegistries.class)
@ConditionalOnCredential(Requirement.REGISTRIES)
@Import({
    AuditQueue.class,
    CredentialSchedule.class,
    LeakReportsConfiguration.class,
    RateLimitConfiguration.class,
    SharedBeans.class
})
public final class ApiKeyRegistriesAutoConfiguration {

    @Bean
    SmartInitializingSingleton credentialApiKeyPurge(
            ApiKeyRegistries registries,
            Leadership leadership,
            CredentialSchedule schedule,
            CredentialProperties properties,
            ApiKeysProperties apiKeys,
            ObjectProvider<CredentialDatabase> databases,
            SharedBeans shared) {
        Duration interval = apiKeys.purgeInterval();
        ClockCheck clock = clockCheck(properties, databases, shared);
        return () -> new ApiKeyPurge(registries, leadership, interval, clock).addTo(schedule);
    }

    @Bean
    SmartInitializingSingleton credentialIdleKeys(
            ObjectProvider<JdbcApiKeyRegistries> registries,
            Leadership leadership,
            CredentialSchedule schedule,
            CredentialProperties properties,
            ApiKeysProperties apiKeys,
            ObjectProvider<CredentialDatabase> databases,
            ObjectProvider<IdleKeyListener> listeners,
            SharedBeans shared) {
        if (apiKeys.registries().values().stream().allMatch(registry -> registry.disableAfterIdle() == null)) {
            return () -> {};
        }
        ClockCheck clock = clockCheck(properties, databases, shared);
        IdleKeyListener listener = listeners.getIfAvailable(() -> key -> () -> {});
        return () -> registries.ifAvailable(keys -> new IdleKeyJob(keys, leadership, clock, listener).addTo(schedule));
    }

    private static ClockCheck clockCheck(
            CredentialProperties properties, ObjectProvider<CredentialDatabase> databases, SharedBeans shared) {
        return new ClockCheck(
                properties.mode() == Mode.CLUSTER
                        ? new ClockComparison(databases.getObject(), shared.clock(), System::nanoTime)::difference
                        : () -> Duration.ZERO);
    }

    @Bean
    @ConditionalOnCredential(Requirement.SINGLE_REGISTRY)
    @ConditionalOnMissingBean
    ApiKeyRegistry credentialApiKeyRegistry(ApiKeyRegistries registries, ApiKeysProperties properties) {
        return registries.get(properties.registries().keySet().iterator().next());
    }

    /** Present if keys are reported as operational events of the dispatcher. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JdbcWebhookDispatcher.class)
    @ConditionalOnCredential(Requirement.OPERATIONAL_EVENTS)
    static class Events {

        @Bean
        OldSecretUses credentialOldSecretUses(WebhookDispatcherProperties properties, SharedBeans shared) {
            return new OldSecretUses(properties.operationalEvents().graceNotice(), shared.clock());
        }

        @Bean
        OwnerEvents credentialOwnerEvents(ApiKeysProperties apiKeys, ObjectProvider<ApiKeyOwnerAudience> audiences) {
            return new OwnerEvents(
                    apiKeys.registries(),
                    SharedBeans.sole(audiences, ApiKeyOwnerAudience.class).orElse(key -> Optional.of(key.ownerId())));
        }

        @Bean
        @ConditionalOnCredential(Requirement.LEAK_REPORTS)
        LeakedKeyListener credentialLeakedKeyEvents(
                OwnerEvents owners, ObjectProvider<JdbcWebhookDispatcher> dispatchers, SharedBeans shared) {
            return new LeakedKeyEvents(owners, () -> dispatchers.stream().toList(), shared.clock());
        }

        @Bean
        IdleKeyListener credentialIdleKeyEvents(OwnerEvents owners, ObjectProvider<JdbcWebhookDispatcher> dispatchers) {
            return new IdleKeyEvents(owners, () -> dispatchers.stream().toList());
        }

        @Bean
        SmartInitializingSingleton credentialApiKeyEvents(
                ObjectProvider<JdbcApiKeyRegistries> registries,
                OldSecretUses oldSecrets,
                OwnerEvents owners,
                ObjectProvider<JdbcWebhookDispatcher> dispatchers,
                Leadership leadership,
                CredentialSchedule schedule,
                WebhookDispatcherProperties properties) {
            Duration expiryNotice = properties.operationalEvents().expiryNotice();
            return () -> registries.ifAvailable(keys -> new ApiKeyEvents(
                            keys, oldSecrets, owners, dispatchers.stream().toList(), leadership, expiryNotice)
                    .addTo(schedule));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnCredential(Requirement.OWNER_EVENTS)
    static class Owners {

        @Bean
        @Lazy(false)
        OwnerEventsCheck credentialOwnerEventsCheck(Environment environment) {
            return new OwnerEventsCheck(environment);
        }
    }

    /** Backs off if the application has its own registries. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(ApiKeyRegistries.class)
    @Import(CacheMetrics.class)
    static class Registries {

        // The lifecycle closes them, before the DataSource does.
        @Bean(destroyMethod = "")
        @DependsOn({"credentialSchemaInitializer", "credentialKeyringCheck"})
        JdbcApiKeyRegistries credentialApiKeyRegistries(
                CredentialDatabase database,
                Keyring keyring,
                Leadership leadership,
                AuditSink auditSink,
                AuditQueue auditQueue,
                SharedBeans shared,
                ObjectProvider<InvalidationDelays> invalidationDelays,
                ObjectProvider<OldSecretUses> oldSecrets,
                CredentialProperties properties,
                ApiKeysProperties apiKeys,
                BeanFactory beans) {
            JdbcApiKeyRegistries.Builder builder = JdbcApiKeyRegistries.builder(database, keyring)
                    .leadership(leadership)
                    .auditSink(auditQueue.inFrontOf(auditSink))
                    .actor(CurrentActor.supplier(beans))
                    .clock(shared.clock())
                    .random(new SecureRandom())
                    .observationRegistry(shared.observations())
                    .argon2(apiKeys.argon2id().settings())
                    .countUsage(apiKeys.usage().enabled())
                    .search(apiKeys.search().names(), apiKeys.search().scopes())
                    .allowPlainSealMigration(properties.seal().allowsPlainApiKeys());
            apiKeys.registries()
                    .forEach((namespace, registry) ->
                            builder.registry(apiKeys.scopes().addTo(registry.options(namespace))));
            apiKeys.cache().settings().ifPresent(builder::cache);
            invalidationDelays.ifAvailable(delays -> builder.invalidationDelays(delays::record));
            oldSecrets.ifAvailable(uses -> builder.oldSecretUses(uses::used));
            if (properties.mode() == CredentialProperties.Mode.CLUSTER) {
                builder.notifications(shared.notifications());
            }
            return builder.build();
        }

        /** Counting can take minutes, and so has its own job. */
        @Bean
        SmartInitializingSingleton credentialApiKeyTotals(
                ObjectProvider<JdbcApiKeyRegistries> registries, CredentialSchedule schedule) {
            return () -> registries.ifAvailable(keys -> schedule.add(
                    "credential.api-keys.totals",
                    Duration.ofSeconds(10),
                    Duration.ofMinutes(1),
                    () -> keys.totalsMaintenance().run()));
        }

        /** When they stop, they write what is pending; they remain usable for components that stop later. */
        @Bean
        @Lazy(false)
        ManagedLifecycle<JdbcApiKeyRegistries> credentialApiKeyRegistriesLifecycle(
                ObjectProvider<JdbcApiKeyRegistries> registries) {
            return new ManagedLifecycle<>(
                    CredentialPhases.BACKGROUND_WORK,
                    registries.getIfAvailable(),
                    JdbcApiKeyRegistries::start,
                    JdbcApiKeyRegistries::close);
        }
    }
}
