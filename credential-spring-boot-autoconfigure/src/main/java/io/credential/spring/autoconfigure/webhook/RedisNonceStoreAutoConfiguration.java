package io.credential.spring.autoconfigure.webhook;

import java.time.InstantSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.bean.SoleBean;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential;
import io.credential.spring.autoconfigure.condition.ConditionalOnCredential.Requirement;
import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.redis.RedisNonceStore;

/**
 * Stores the nonces of incoming webhooks in the application's Redis, if {@code nonce-store} is {@code redis}.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnCredential(Requirement.INBOUND_WEBHOOKS)
public final class RedisNonceStoreAutoConfiguration {

    private static CredentialConfigurationException refusal(String property, String missing, String remedy) {
        return new CredentialConfigurationException(
                "The property '" + property + "' is 'redis', but " + missing + ".",
                remedy + " Or set '" + property + "' to 'jdbc', 'memory' or 'none'.");
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    static class WithRedis {

        /** Uses a private template, because one of the application may queue commands in a transaction. */
        @Bean
        NonceStoreSelection.RedisNonces credentialRedisNonces(
                ObjectProvider<RedisConnectionFactory> connections,
                @CredentialClock ObjectProvider<InstantSource> clocks) {
            return property -> {
                RedisConnectionFactory connection = connections.getIfUnique();
                if (connection == null) {
                    throw refusal(
                            property,
                            connections.stream().findAny().isEmpty()
                                    ? "there is no bean of type RedisConnectionFactory"
                                    : "there are several beans of type RedisConnectionFactory and none is primary",
                            "Add spring-boot-starter-data-redis with 'spring.data.redis.url', or mark one connection"
                                    + " factory as @Primary.");
                }
                return new RedisNonceStore(new StringRedisTemplate(connection), SoleBean.clock(clocks));
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.data.redis.core.StringRedisTemplate")
    static class WithoutRedis {

        @Bean
        NonceStoreSelection.RedisNonces credentialMissingRedisNonces() {
            return property -> {
                throw refusal(
                        property,
                        "Spring Data Redis is not on the class path",
                        "Add spring-boot-starter-data-redis with 'spring.data.redis.url'.");
            };
        }
    }
}
