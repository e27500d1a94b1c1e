package io.credential.spring.autoconfigure.redis;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.autoconfigure.internal.SharedBeans;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.internal.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.redis.internal.RedisBuckets;
import io.credential.spring.autoconfigure.redis.internal.RedisNonces;
import io.credential.spring.internal.redis.RedisBucketStore;
import io.credential.spring.internal.redis.RedisNonceStore;
import io.credential.webhook.replay.NonceStore;

/**
 * Stores nonces of incoming webhooks, and counts of rate limits, in the application's Redis if a property says so.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnCredential(Requirement.ANY_FEATURE)
public final class RedisStoresAutoConfiguration {

    private static final String REDIS = "org.springframework.data.redis.core.StringRedisTemplate";

    private static CredentialConfigurationException refusal(String property, String problem, String remedy) {
        return new CredentialConfigurationException(
                "The property '" + property + "' is 'redis', but " + problem + ".",
                "Add spring-boot-starter-data-redis with 'spring.data.redis.url'" + remedy + ". Or set '" + property
                        + "' to 'jdbc', or on a single node to 'memory'.");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({StringRedisTemplate.class, NonceStore.class})
    @Import(SharedBeans.class)
    static class Nonces {

        @Bean
        RedisNonces credentialRedisNonces(ObjectProvider<RedisConnectionFactory> connections, SharedBeans shared) {
            return property -> new RedisNonceStore(Templates.create(property, connections), shared.clock());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    static class Buckets {

        @Bean
        RedisBuckets credentialRedisBuckets(ObjectProvider<RedisConnectionFactory> connections) {
            return property -> new RedisBucketStore(Templates.create(property, connections));
        }
    }

    private static final class Templates {

        /** Returns a private template, because one of the application may queue commands in a transaction. */
        static StringRedisTemplate create(String property, ObjectProvider<RedisConnectionFactory> connections) {
            RedisConnectionFactory connection = connections.getIfUnique();
            if (connection == null) {
                throw refusal(
                        property,
                        connections.stream().findAny().isEmpty()
                                ? "there is no bean of type RedisConnectionFactory"
                                : "there are several beans of type RedisConnectionFactory and none is primary",
                        ", or mark one connection factory as @Primary");
            }
            return new StringRedisTemplate(connection);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(REDIS)
    static class WithoutRedis {

        @Bean
        RedisBuckets credentialMissingRedisBuckets() {
            return property -> {
                throw missing(property);
            };
        }

        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(NonceStore.class)
        static class WithoutNonces {

            @Bean
            RedisNonces credentialMissingRedisNonces() {
                return property -> {
                    throw missing(property);
                };
            }
        }

        private static CredentialConfigurationException missing(String property) {
            return refusal(property, "Spring Data Redis is not on the class path", "");
        }
    }
}
