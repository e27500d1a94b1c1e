package io.credential.host;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.security.ApiKeyConfigurer;

/** Requires a key for every request, as the sample does; with Spring Security alone, permits every request. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HttpSecurity.class)
class HostSecurity {

    private static final String KEYS = "io.credential.spring.security.ApiKeyConfigurer";

    /** Without this, Actuator observes every filter of the chain in every request. */
    @Bean
    SecurityObservationSettings observations() {
        return SecurityObservationSettings.withDefaults().build();
    }

    private static HttpSecurity stateless(HttpSecurity http) {
        return http.sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = KEYS)
    static class WithKeys {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return stateless(http)
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HttpSecurity.class)
    @ConditionalOnMissingClass(KEYS)
    static class WithoutKeys {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return stateless(http)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }
}
