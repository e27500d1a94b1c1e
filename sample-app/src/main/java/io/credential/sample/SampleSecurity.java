package io.credential.sample;

import java.util.Set;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AndRequestMatcher;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.DispatcherType;

import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.spring.security.ApiKeyConfigurer;

import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;

/**
 * Requires a key for every request except those for health and for pages; controllers declare the required scopes. For
 * the pages, the console and the demonstration, operators log in with a form.
 */
@Configuration(proxyBeanMethods = false)
class SampleSecurity {

    @Bean
    @Order(1)
    SecurityFilterChain pages(HttpSecurity http, ConsoleProperties console) {
        return http.securityMatchers(matchers -> matchers.requestMatchers(
                                console.path(), console.path() + "/**", DemonstrationController.PATH)
                        .requestMatchers("/login", "/logout", "/default-ui.css")
                        .requestMatchers(home()))
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(Customizer.withDefaults())
                .build();
    }

    /** Clients that accept anything, such as curl, are not redirected to the login. */
    private static RequestMatcher home() {
        MediaTypeRequestMatcher browser = new MediaTypeRequestMatcher(MediaType.TEXT_HTML);
        browser.setIgnoredMediaTypes(Set.of(MediaType.ALL));
        return new AndRequestMatcher(PathPatternRequestMatcher.pathPattern(HttpMethod.GET, "/"), browser);
    }

    @Bean
    UserDetailsService operators(JdbcClient jdbc) {
        return name -> jdbc.sql("select password_hash from operators where name = :name")
                .param("name", name)
                .query(String.class)
                .optional()
                .map(hash -> User.withUsername(name)
                        .password(hash)
                        .authorities(
                                "CREDENTIAL_VIEW",
                                "CREDENTIAL_PAYLOADS",
                                "CREDENTIAL_OPERATE",
                                "CREDENTIAL_KEYS",
                                "CREDENTIAL_ADMIN")
                        .build())
                .orElseThrow(() -> new UsernameNotFoundException("No operator has this name"));
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

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
