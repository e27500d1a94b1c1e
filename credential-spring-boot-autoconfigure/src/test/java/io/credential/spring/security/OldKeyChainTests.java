package io.credential.spring.security;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyToken;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** The chains of {@code docs/from-a-key-filter.md}: keys of an older filter of the application work next to new ones. */
class OldKeyChainTests {

    private static final String OLD_KEY = "sk_live_8f1c";

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(Host.class);
        application.registries().issue("live", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void requestWhenItsKeyIsOldThenItsOwnerIsTheCaller() {
        assertThat(application.get("/name", "X-API-Key", OLD_KEY).body()).isEqualTo("old-owner");
    }

    @Test
    void requestWhenItsKeyIsNewThenItsOwnerIsTheCaller() {
        assertThat(application.get("/name", "X-API-Key", token("live")).body()).isEqualTo("owner-1");
    }

    @Test
    void scopeWhenRequiredThenAppliesToBothKinds() {
        for (String key : new String[] {OLD_KEY, token("live")}) {
            assertThat(application.get("/orders", "X-API-Key", key).statusCode())
                    .as(key)
                    .isEqualTo(200);
            assertThat(application.post("/orders", "X-API-Key", key).statusCode())
                    .as(key)
                    .isEqualTo(403);
        }
    }

    @Test
    void keyWhenNobodyKnowsItThenUnauthorized() {
        assertThat(application.get("/name", "X-API-Key", "sk_live_0000").statusCode())
                .isEqualTo(401);
        assertThat(application
                        .get("/name", "X-API-Key", token("live").replace('f', 'e'))
                        .statusCode())
                .isEqualTo(401);
        assertThat(application.get("/name").statusCode()).isEqualTo(401);
    }

    @Test
    void errorWhenKeyIsOldThenKeepsItsStatus() {
        assertThat(application.get("/missing", "X-API-Key", OLD_KEY).statusCode())
                .isEqualTo(404);
    }

    @Test
    void asynchronousResponseWhenKeyIsOldThenArrives() {
        assertThat(application.get("/async", "X-API-Key", OLD_KEY).body()).isEqualTo("old-owner");
    }

    @Test
    void apiKeyArgumentWhenKeyIsOldThenForbidden() {
        assertThat(application.get("/argument", "X-API-Key", OLD_KEY).statusCode())
                .isEqualTo(403);
        assertThat(application.get("/argument", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import({OrdersController.class, ArgumentController.class})
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        @Order(1)
        SecurityFilterChain oldKeys(HttpSecurity http) {
            RequestMatcher oldKey = request -> request.getHeader("X-API-Key") != null
                    && ApiKeyToken.parse(request.getHeader("X-API-Key")).isEmpty();
            return stateless(http)
                    .securityMatcher(oldKey)
                    .addFilterBefore(new OldKeyFilter(), AuthorizationFilter.class)
                    .build();
        }

        @Bean
        SecurityFilterChain newKeys(HttpSecurity http) {
            return stateless(http)
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }

        private static HttpSecurity stateless(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                    .csrf(CsrfConfigurer::disable);
        }
    }

    @RestController
    static class ArgumentController {

        @GetMapping("/argument")
        String owner(ApiKey key) {
            return key.ownerId();
        }
    }

    private static final class OldKeyFilter extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            if (!OLD_KEY.equals(request.getHeader("X-API-Key"))) {
                response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
                return;
            }
            SecurityContext context = new SecurityContextImpl(UsernamePasswordAuthenticationToken.authenticated(
                    "old-owner", null, AuthorityUtils.createAuthorityList("SCOPE_orders:read")));
            SecurityContextHolder.setContext(context);
            new RequestAttributeSecurityContextRepository().saveContext(context, request, response);
            chain.doFilter(request, response);
        }
    }
}
