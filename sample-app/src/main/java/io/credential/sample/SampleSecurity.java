package io.credential.sample;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;

import jakarta.servlet.DispatcherType;

import io.credential.spring.security.ApiKeyConfigurer;

import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;

/** Requires a key for every request except those for health; controllers declare the required scopes. */
@Configuration(proxyBeanMethods = false)
class SampleSecurity {

    @Bean
    SecurityFilterChain api(HttpSecurity http) {
        return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .requestMatchers(EndpointRequest.to("health"))
                        .permitAll()
                        .requestMatchers(EndpointRequest.toAnyEndpoint().withHttpMethod(HttpMethod.GET))
                        .access(hasScope("actuator:read"))
                        .requestMatchers(EndpointRequest.toAnyEndpoint())
                        .access(hasScope("actuator:write"))
                        .anyRequest()
                        .authenticated())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Cookies do not authenticate requests, so CSRF is impossible.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }

    /** Spring Security would observe each of its filters in every request, which takes a sixth of the time of a short one. */
    @Bean
    SecurityObservationSettings noObservationsOfSecurity() {
        return SecurityObservationSettings.noObservations();
    }
}
