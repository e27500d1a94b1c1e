package io.credential.spring.webhook;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;

import io.credential.spring.autoconfigure.security.ApiKeySecurityAutoConfiguration;
import io.credential.spring.security.ApiKeyConfigurer;
import io.credential.spring.security.FakeRegistries;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Security chains authorize verified webhooks as authenticated requests, and all others as before. */
@ExtendWith(OutputCaptureExtension.class)
class WebhookWithSecurityTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", WebhookHost.SECRET)
            .build();

    @ParameterizedTest
    @ValueSource(classes = {DefaultChain.class, OwnChain.class})
    void requestWhenSignedThenNoLogInNoCsrfTokenNoCookie(Class<?> application) {
        try (WebhookHost host = WebhookHost.start(application)) {
            HttpResponse<String> answer = host.send(signed(host, "/hooks/partner/attribute"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("hmac-sha3-512 no session");
            assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DefaultChain.class, OwnChain.class})
    void requestWhenNotSignedThenRefusedByTheFilter(Class<?> application) {
        try (WebhookHost host = WebhookHost.start(application)) {
            HttpResponse<String> answer = host.send(host.post("/hooks/partner/attribute", BODY));

            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("webhook/missing-header");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DefaultChain.class, OwnChain.class})
    void otherRequestThenIsGuardedAsBefore(Class<?> application) {
        try (WebhookHost host = WebhookHost.start(application)) {
            assertThat(host.send(HttpRequest.newBuilder(host.uri("/page")).header("Accept", "application/json"))
                            .statusCode())
                    .isEqualTo(401);
            // A signature is worth nothing where none is asked for.
            assertThat(host.send(signed(host, "/open")).statusCode()).isIn(401, 403);
        }
    }

    @Test
    void errorWhenRequestIsVerifiedThenShownAsWhatItIs() {
        try (WebhookHost host = WebhookHost.start(OwnChain.class)) {
            assertThat(host.send(signed(host, "/hooks/partner/fails")).statusCode())
                    .isEqualTo(500);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DefaultChain.class, OwnChain.class, PartnerChain.class})
    void requestWhenVerifiedThenAuthenticatedAsItsSender(Class<?> application) {
        try (WebhookHost host = WebhookHost.start(application)) {
            HttpResponse<String> answer = host.send(signed(host, "/hooks/partner/who"));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("partner [WEBHOOK_partner] partner");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
        }
    }

    @Test
    void requestWhenUserIsAuthenticatedTooThenSenderAlone() {
        try (WebhookHost host = WebhookHost.start(DefaultChain.class)) {
            String user = Base64.getEncoder().encodeToString("user:password".getBytes(UTF_8));

            assertThat(host.send(signed(host, "/hooks/partner/who").header("Authorization", "Basic " + user))
                            .body())
                    .isEqualTo("partner [WEBHOOK_partner] partner");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bk_live_0011223344556677_00112233445566778899aabbccddeeff",
                "bk_live_0011223344556677_ffeeddccbbaa99887766554433221100"
            })
    void requestWhenItHasAKeyTooThenSenderAlone(String key) {
        try (WebhookHost host = WebhookHost.start(KeyChain.class)) {
            host.context().getBean(FakeRegistries.class).issue("live");

            HttpResponse<String> answer =
                    host.send(signed(host, "/hooks/partner/who").header("X-API-Key", key));

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("partner [WEBHOOK_partner] partner");
        }
    }

    @Test
    void requestWhenChainAsksForAnotherSenderThenForbidden() {
        try (WebhookHost host = WebhookHost.start(OtherSenderChain.class)) {
            assertThat(host.send(signed(host, "/hooks/partner/who")).statusCode())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DefaultChain.class, OwnChain.class, PartnerChain.class})
    void requestWhenByAnotherMethodThenTheChainRefusesIt(Class<?> application) {
        try (WebhookHost host = WebhookHost.start(application)) {
            for (String method : new String[] {"GET", "HEAD", "PUT", "DELETE"}) {
                assertThat(host.send(signed(host, "/hooks/partner/any-method")
                                        .method(method, HttpRequest.BodyPublishers.ofByteArray(BODY)))
                                .statusCode())
                        .as(method)
                        .isIn(302, 401, 403);
            }
        }
    }

    @Test
    void requestWhenByAnotherMethodWithoutChainThenRefused() {
        try (WebhookHost host = WebhookHost.start(ApiChain.class)) {
            for (String method : new String[] {"GET", "HEAD", "PUT", "DELETE"}) {
                assertThat(host.send(signed(host, "/hooks/partner/any-method")
                                        .method(method, HttpRequest.BodyPublishers.ofByteArray(BODY)))
                                .statusCode())
                        .as(method)
                        .isEqualTo(405);
            }
        }
    }

    @Test
    void requestWhenGetIsAcceptedThenHeadNeedsASignatureToo() {
        try (WebhookHost host =
                WebhookHost.start(ApiChain.class, "credential.webhook.inbound.partner.methods=GET,POST")) {
            assertThat(host.send(HttpRequest.newBuilder(host.uri("/hooks/partner/any-method"))
                                    .method("HEAD", HttpRequest.BodyPublishers.noBody()))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    @Test
    void startWhenWebhooksComeInThenNothingIsWarnedAbout(CapturedOutput output) {
        WebhookHost.start(OwnChain.class, "credential.webhook.inbound.partner.nonce-store=memory")
                .close();

        assertThat(output).doesNotContain(" WARN ");
    }

    @Test
    void applicationThenKeepsItsDefaultChain() {
        try (WebhookHost host = WebhookHost.start(DefaultChain.class)) {
            assertThat(host.context().getBeansOfType(SecurityFilterChain.class)).hasSize(1);
            assertThat(host.context()
                            .getBeansOfType(jakarta.servlet.Filter.class)
                            .values())
                    .noneMatch(WebhookSignatureFilter.class::isInstance);
        }
    }

    private static HttpRequest.Builder signed(WebhookHost host, String path) {
        return host.post(path, BODY)
                .header("Webhook-Signature", SIGNER.headers(BODY).get("Webhook-Signature"))
                .header("Content-Type", "application/json");
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(HookController.class)
    static class DefaultChain {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(HookController.class)
    static class PartnerChain {

        @Bean
        SecurityFilterChain own(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/hooks/partner/**")
                            .hasAuthority("WEBHOOK_partner")
                            .anyRequest()
                            .denyAll())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @ImportAutoConfiguration(ApiKeySecurityAutoConfiguration.class)
    @Import(HookController.class)
    static class KeyChain {

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @Bean
        SecurityFilterChain own(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .with(ApiKeyConfigurer.apiKeys(), Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(HookController.class)
    static class OtherSenderChain {

        @Bean
        SecurityFilterChain own(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().hasAuthority("WEBHOOK_other"))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(HookController.class)
    static class ApiChain {

        @Bean
        SecurityFilterChain api(HttpSecurity http) {
            return http.securityMatcher("/api/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(HookController.class)
    static class OwnChain {

        /** Asks for a CSRF token in a cookie and makes a session for everybody. */
        @Bean
        SecurityFilterChain own(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .csrf(CsrfConfigurer::spa)
                    .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.ALWAYS))
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }
}
