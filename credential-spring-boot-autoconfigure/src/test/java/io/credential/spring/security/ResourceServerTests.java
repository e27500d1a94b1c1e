package io.credential.spring.security;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** An OAuth 2 resource server that accepts keys beside its access tokens. */
class ResourceServerTests {

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
    void accessTokenThenWorksAndItsScopesCount() {
        assertThat(application.get("/orders", "Authorization", "Bearer reader").statusCode())
                .isEqualTo(200);
        assertThat(application.get("/name", "Authorization", "Bearer reader").body())
                .isEqualTo("jwt-reader");
    }

    @Test
    void keyThenWorksBesideAccessTokens() {
        assertThat(application.get("/orders", "X-API-Key", token("live")).statusCode())
                .isEqualTo(200);
        assertThat(application.get("/name", "X-API-Key", token("live")).body()).isEqualTo("owner-1");
    }

    @Test
    void accessTokenWhenRefusedThenResourceServerAnswers() {
        HttpResponse<String> invalid = application.get("/orders", "Authorization", "Bearer invalid");
        assertThat(invalid.statusCode()).isEqualTo(401);
        assertThat(challenge(invalid)).startsWith("Bearer").contains("invalid_token");

        HttpResponse<String> denied = application.get("/orders", "Authorization", "Bearer nobody");
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(challenge(denied)).startsWith("Bearer").contains("insufficient_scope");
        assertThat(denied.body()).doesNotContain("api-key/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json", "text/html", "image/png"})
    void requestWhenWithoutCredentialThenBearerChallenge(String accept) {
        HttpResponse<String> response = application.get("/orders", "Accept", accept);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenge(response)).startsWith("Bearer");
    }

    @Test
    void keyWhenRefusedThenAnsweredAsApiKey() {
        HttpResponse<String> unknown = application.get("/orders", "X-API-Key", "unknown");
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(challenge(unknown)).isEqualTo("ApiKey realm=\"api\"");

        HttpResponse<String> denied = application.post("/orders", "X-API-Key", token("live"));
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("\"missingScopes\":[\"orders:write\"]");
    }

    @Test
    void denialWhenFilterAuthenticatesByKeyThenAsApiKey() {
        HttpResponse<String> denied = application.post("/orders", "X-Gateway-Key", "0011223344556677");

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("\"missingScopes\":[\"orders:write\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"reader", "invalid"})
    void keyWhenAccessTokenIsBesideItThenRefusedUnverified(String accessToken) {
        int before = application.registries().verifications();

        HttpResponse<String> response =
                application.get("/authorities", "X-API-Key", token("live"), "Authorization", "Bearer " + accessToken);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenge(response)).isEqualTo("ApiKey realm=\"api\"");
        assertThat(application.registries().verifications()).isEqualTo(before);
    }

    @Test
    void keyWhenAccessTokenIsInParameterThenRefused() {
        assertThat(application.get("/name?access_token=reader").body()).isEqualTo("jwt-reader");

        HttpResponse<String> inQuery = application.get("/name?access_token=nobody", "X-API-Key", token("live"));
        HttpResponse<String> inForm = application.send(application
                .request("/orders")
                .header("X-API-Key", token("live"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("access_token=reader")));

        assertThat(inQuery.statusCode()).isEqualTo(401);
        assertThat(challenge(inQuery)).isEqualTo("ApiKey realm=\"api\"");
        assertThat(inForm.statusCode()).isEqualTo(401);
        assertThat(challenge(inForm)).isEqualTo("ApiKey realm=\"api\"");
    }

    @Test
    void keyWhenSentAsAccessTokenThenRefused() {
        HttpResponse<String> response = application.get("/orders", "Authorization", "Bearer " + token("live"));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(challenge(response)).startsWith("Bearer");
    }

    private static String challenge(HttpResponse<String> response) {
        assertThat(response.headers().allValues("WWW-Authenticate")).hasSize(1);
        return response.headers().firstValue("WWW-Authenticate").orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .oauth2ResourceServer(server ->
                            server.bearerTokenResolver(alsoInParameters()).jwt(Customizer.withDefaults()))
                    .csrf(csrf -> csrf.ignoringRequestMatchers(Host::isFromGateway))
                    .addFilterBefore(Host::authenticateByGateway, AnonymousAuthenticationFilter.class)
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }

        private static boolean isFromGateway(HttpServletRequest request) {
            return request.getHeader("X-Gateway-Key") != null;
        }

        /** A gateway in front of the application has verified the key, and passes its id only. */
        private static void authenticateByGateway(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (isFromGateway((HttpServletRequest) request)) {
                SecurityContextHolder.setContext(new SecurityContextImpl(
                        ApiKeyAuthentication.of(FakeRegistries.key("live", "orders:read"), Instant.EPOCH)));
            }
            chain.doFilter(request, response);
        }

        private static DefaultBearerTokenResolver alsoInParameters() {
            DefaultBearerTokenResolver resolver = new DefaultBearerTokenResolver();
            resolver.setAllowUriQueryParameter(true);
            resolver.setAllowFormEncodedBodyParameter(true);
            return resolver;
        }

        @Bean
        JwtDecoder decoder() {
            return token -> switch (token) {
                case "reader" -> jwt(token, "orders:read");
                case "nobody" -> jwt(token, "nothing");
                default -> throw new BadJwtException("not ours");
            };
        }

        private static Jwt jwt(String token, String scope) {
            return Jwt.withTokenValue(token)
                    .header("alg", "none")
                    .subject("jwt-" + token)
                    .issuedAt(Instant.EPOCH)
                    .claim("scope", scope)
                    .build();
        }
    }
}
