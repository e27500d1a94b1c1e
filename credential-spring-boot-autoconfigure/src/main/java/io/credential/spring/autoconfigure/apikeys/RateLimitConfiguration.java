package io.credential.spring.autoconfigure.apikeys;

import java.time.InstantSource;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.internal.cluster.Leadership;
import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.RateLimiter;
import io.credential.ratelimit.internal.JdbcBucketStore;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.RateLimitStore;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.redis.internal.RedisBuckets;
import io.credential.spring.security.ApiKeyRateLimits;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SqlDialect;

/**
 * Configures where requests are counted against the rate limits of API keys.
 */
@Configuration(proxyBeanMethods = false)
final class RateLimitConfiguration {

    private static final String PROPERTY = "credential.api-keys.rate-limits.store";

    @Bean
    @ConditionalOnMissingBean
    RateLimiter credentialRateLimiter(
            CredentialProperties properties,
            ApiKeysProperties apiKeys,
            ObjectProvider<CredentialDatabase> databases,
            ObjectProvider<RedisBuckets> redis,
            SharedBeans shared) {
        InstantSource clock = shared.clock();
        return switch (apiKeys.rateLimitStore(properties.mode())) {
            case MEMORY -> RateLimiter.inMemory(clock);
            case JDBC -> RateLimiter.shared(jdbc(databases.getObject(), clock), clock);
            case REDIS -> RateLimiter.shared(redis(redis.getIfAvailable()), clock);
        };
    }

    private static JdbcBucketStore jdbc(CredentialDatabase database, InstantSource clock) {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw refusal("jdbc", "the database is SQLite", "Use PostgreSQL.");
        }
        return new JdbcBucketStore(database, clock);
    }

    private static BucketStore redis(@Nullable RedisBuckets stores) {
        if (stores == null) {
            throw refusal("redis", "test slices have no Redis", "Start the whole application in this test.");
        }
        return stores.create(PROPERTY);
    }

    @Bean
    @ConditionalOnMissingBean
    ApiKeyRateLimits credentialApiKeyRateLimits(RateLimiter limiter, ApiKeyRegistries registries) {
        return new ApiKeyRateLimits(limiter, registries);
    }

    @Bean
    SmartInitializingSingleton credentialBucketPurge(
            CredentialProperties properties,
            ApiKeysProperties apiKeys,
            ObjectProvider<CredentialDatabase> databases,
            Leadership leadership,
            CredentialSchedule schedule,
            SharedBeans shared) {
        RateLimitStore counts = apiKeys.rateLimitStore(properties.mode());
        return () -> {
            if (counts == RateLimitStore.JDBC) {
                JdbcBucketStore store = jdbc(databases.getObject(), shared.clock());
                new BucketPurge(store, leadership, apiKeys.purgeInterval()).addTo(schedule);
            }
        };
    }

    private static CredentialConfigurationException refusal(String store, String problem, String remedy) {
        return new CredentialConfigurationException(
                "The property '" + PROPERTY + "' is '" + store + "', but " + problem + ".",
                remedy + " Or set '" + PROPERTY + "' to 'memory', on a single node.");
    }
}
