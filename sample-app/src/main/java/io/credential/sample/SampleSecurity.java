package io.credential.sample;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

import jakarta.servlet.DispatcherType;

import io.credential.spring.security.ApiKeyConfigurer;

/** Requires a key for every request; controllers declare the required scopes. */
@Configuration(proxyBeanMethods = false)
class SampleSecurity {

    @Bean
    SecurityFilterChain api(HttpSecurity http) {
        return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .anyRequest()
                        .authenticated())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                // Cookies do not authenticate requests, so CSRF is impossible.
                .csrf(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .build();
    }
}
