package io.credential.host;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.security.ApiKeyConfigurer;

/** Requires a key for every request, as the sample does. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ApiKeyConfigurer.class)
class HostSecurity {

    @Bean
    SecurityFilterChain api(HttpSecurity http) {
        return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Without this, Actuator observes every filter of the chain in every request. */
    @Bean
    SecurityObservationSettings observations() {
        return SecurityObservationSettings.withDefaults().build();
    }
}
