package io.credential.sample;

import java.util.Set;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.AndRequestMatcher;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

import jakarta.servlet.DispatcherType;

import io.credential.spring.security.ApiKeyConfigurer;

import static io.credential.spring.security.ScopeAuthorizationManager.hasScope;

/**
 * Requires a key for every request except those for health and for pages; controllers declare the required scopes. For
 * the pages, the console and the demonstration, operators log in with a form.
 */
@Configuration(proxyBeanMethods = false)
class SampleSecurity {

    /** @param console the path of the console; the bean with the properties is missing in tests of single controllers */
    @Bean
    @Order(1)
    SecurityFilterChain pages(HttpSecurity http, @Value("${credential.console.path:/credential}") String console) {
        return http.securityMatchers(
                        matchers -> matchers.requestMatchers(console, console + "/**", DemonstrationController.PATH)
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
