package io.credential.spring.autoconfigure.actuate;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import io.credential.apikey.leak.internal.TokenMask;

/**
 * Masks secrets in the endpoints of Actuator, even for users who may see values.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(SanitizingFunction.class)
final class SanitizingConfiguration {

    @Bean
    SanitizingFunction credentialSanitizingFunction() {
        return new SecretValues();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TokenMask.class)
    static class Keys {

        @Bean
        SanitizingFunction credentialApiKeySanitizingFunction() {
            return new ApiKeyValues();
        }

        @Bean
        static MaskedExchanges credentialMaskedExchanges(Environment environment) {
            return new MaskedExchanges(environment);
        }
    }
}
