package io.credential.spring.autoconfigure.ratelimit;

import java.time.Duration;
import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.cluster.Leadership;
import io.credential.ratelimit.BucketStore;
import io.credential.ratelimit.JdbcBucketStore;
import io.credential.ratelimit.RateLimiter;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.apikeys.ApiKeyRegistriesAutoConfiguration;
import io.credential.spring.autoconfigure.bean.SoleBean;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.properties.ApiKeysProperties.RateLimitStore;
import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.schedule.CredentialSchedule;
import io.credential.spring.redis.RedisBucketStore;
import io.credential.spring.security.ApiKeyRateLimits;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SqlDialect;

/**
 * Configures where requests are counted against the rate limits of API keys.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ApiKeyRegistriesAutoConfiguration.class)
@ConditionalOnCredential(Requirement.REGISTRIES)
@Import(CredentialSchedule.class)
public final class RateLimitAutoConfiguration {

    private static final String PROPERTY = "credential.api-keys.rate-limits.store";

    @Bean
    @ConditionalOnMissingBean
    RateLimiter credentialRateLimiter(
            CredentialProperties properties,
            ObjectProvider<CredentialDatabase> databases,
            RedisBuckets redis,
            @CredentialClock ObjectProvider<InstantSource> clocks) {
        InstantSource clock = SoleBean.clock(clocks);
        return switch (properties.rateLimitStore()) {
            case MEMORY -> RateLimiter.inMemory(clock);
            case JDBC -> RateLimiter.shared(jdbc(databases.getObject(), clock), clock);
            case REDIS -> RateLimiter.shared(redis.store(), clock);
        };
    }

    private static JdbcBucketStore jdbc(CredentialDatabase database, InstantSource clock) {
        if (database.dialect() != SqlDialect.POSTGRESQL) {
            throw refusal("jdbc", "the database is SQLite", "Use PostgreSQL.");
        }
        return new JdbcBucketStore(database, clock);
    }

    @Bean
    @ConditionalOnMissingBean
    ApiKeyRateLimits credentialApiKeyRateLimits(RateLimiter limiter, ApiKeyRegistries registries) {
        return new ApiKeyRateLimits(limiter, registries);
    }

    @Bean
    SmartInitializingSingleton credentialBucketPurge(
            CredentialProperties properties,
            ObjectProvider<CredentialDatabase> databases,
            Leadership leadership,
            CredentialSchedule schedule,
            @CredentialClock ObjectProvider<InstantSource> clocks) {
        Duration interval = properties.apiKeys().purgeInterval();
        return () -> {
            if (properties.rateLimitStore() == RateLimitStore.JDBC) {
                JdbcBucketStore store = jdbc(databases.getObject(), SoleBean.clock(clocks));
                new BucketPurge(store, leadership, interval).addTo(schedule);
            }
        };
    }

    private static CredentialConfigurationException refusal(String store, String problem, String remedy) {
        return new CredentialConfigurationException(
                "The property '" + PROPERTY + "' is '" + store + "', but " + problem + ".",
                remedy + " Or set '" + PROPERTY + "' to 'memory', on a single node.");
    }

    /** Creates a store in Redis. Refers to no class of Redis, which may be missing. */
    @FunctionalInterface
    interface RedisBuckets {

        /** @throws CredentialConfigurationException if Redis is missing */
        BucketStore store();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    static class WithRedis {

        /** Uses a private template, because one of the application may queue commands in a transaction. */
        @Bean
        RedisBuckets credentialRedisBuckets(ObjectProvider<RedisConnectionFactory> connections) {
            return () -> {
                RedisConnectionFactory connection = connections.getIfUnique();
                if (connection == null) {
                    throw refusal(
                            "redis",
                            connections.stream().findAny().isEmpty()
                                    ? "there is no bean of type RedisConnectionFactory"
                                    : "there are several beans of type RedisConnectionFactory and none is primary",
                            "Add spring-boot-starter-data-redis with 'spring.data.redis.url', or mark one connection"
                                    + " factory as @Primary.");
                }
                return new RedisBucketStore(new StringRedisTemplate(connection));
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.data.redis.core.StringRedisTemplate")
    static class WithoutRedis {

        @Bean
        RedisBuckets credentialMissingRedisBuckets() {
            return () -> {
                throw refusal(
                        "redis",
                        "Spring Data Redis is not on the class path",
                        "Add spring-boot-starter-data-redis with 'spring.data.redis.url'.");
            };
        }
    }
}
