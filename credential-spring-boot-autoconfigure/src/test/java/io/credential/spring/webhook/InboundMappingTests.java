package io.credential.spring.webhook;

import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.HiddenHttpMethodFilter;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.webhook.signature.ProcessorVerification;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What is configured as protected is what the application serves. */
class InboundMappingTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String PATHS = "credential.webhook.inbound.partner.paths=";
    private static final String PROCESSOR = "credential.webhook.inbound.payments.";

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", WebhookHost.SECRET)
            .build();

    @ParameterizedTest
    @CsvSource({
        "OnTomcat, /hooks/partner/**",
        "OnTomcat, /api/hooks/partner/**",
        "OnTomcat, /app/api/hooks/partner/**",
        "OnJetty, /hooks/partner/**",
        "OnJetty, /api/hooks/partner/**"
    })
    void requestWhenTheServletHasAPrefixThenVerified(String server, String pattern) {
        Class<?> application = server.equals("OnJetty") ? OnJetty.class : OnTomcat.class;
        try (WebhookHost host = WebhookHost.start(
                application, PATHS + pattern, "spring.mvc.servlet.path=/api", "server.servlet.context-path=/app")) {
            assertThat(host.send(host.post("/app/api/hooks/partner/bytes", BODY))
                            .statusCode())
                    .as("unsigned")
                    .isEqualTo(401);
            assertThat(host.send(host.post("/app/api/hooks/partner/bytes", BODY)
                                    .header(
                                            "Webhook-Signature",
                                            SIGNER.headers(BODY).get("Webhook-Signature")))
                            .statusCode())
                    .as("signed")
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hooks/partnr", "/hook/partner/bytes", "/hooks/partner", "/page", "/hooks/partnr*"})
    void startWhenNothingServesThePathThenRefused(String pattern) {
        FailureAnalysis analysis =
                Analyses.of(catchThrowable(() -> WebhookHost.start(OnTomcat.class, PATHS + pattern)));

        assertThat(analysis.getDescription())
                .contains("'" + pattern + "'", "'credential.webhook.inbound.partner.paths'");
        assertThat(analysis.getAction()).contains("'credential.webhook.inbound.partner.allow-unmapped'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/hooks/partner/bytes/", "/hooks//partner/bytes", "//hooks/partner/bytes", "/hooks/partner/**/"})
    void startWhenPathHasNeedlessSlashThenRefused(String pattern) {
        FailureAnalysis analysis =
                Analyses.of(catchThrowable(() -> WebhookHost.start(OnTomcat.class, PATHS + pattern)));

        assertThat(analysis.getDescription()).contains("'" + pattern + "' of 'partner'", "repeated slashes");
        assertThat(analysis.getAction()).contains("'credential.webhook.inbound.<name>.paths'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hooks/{name}/bytes", "/Hooks/Partner/*", "/**", "/hooks/partner/bytes"})
    void startWhenPathsOfTwoSendersOverlapThenRefused(String other) {
        FailureAnalysis analysis = Analyses.of(catchThrowable(() -> WebhookHost.start(
                OnTomcat.class,
                PATHS + "/hooks/partner/bytes",
                "credential.webhook.inbound.shop.paths=" + other,
                "credential.webhook.inbound.shop.methods=PUT",
                "credential.webhook.inbound.shop.keys.v1=another secret of the tests")));

        assertThat(analysis.getDescription())
                .contains("'/hooks/partner/bytes' of 'credential.webhook.inbound.partner'", "'" + other + "' of ");
        assertThat(analysis.getAction()).contains(".paths'", "no request in common");
    }

    @Test
    void startWhenPathLacksServletPrefixThenRefused() {
        assertThat(Analyses.of(catchThrowable(() -> WebhookHost.start(
                                OnTomcat.class,
                                PATHS + "/app/hooks/partner/bytes",
                                "spring.mvc.servlet.path=/api",
                                "server.servlet.context-path=/app")))
                        .getDescription())
                .contains("'/app/hooks/partner/bytes'");
    }

    @Test
    void requestWhenMappingEndsWithSlashThenRefused() {
        try (WebhookHost host = WebhookHost.start(WithSlash.class, PATHS + "/slash")) {
            assertThat(host.send(host.post("/slash/", BODY)).statusCode()).isEqualTo(401);
            assertThat(host.send(host.post("//slash/", BODY)).statusCode()).isIn(400, 401);
        }
    }

    @Test
    void startWhenThePathIsServedByAnotherMethodThenRefused() {
        assertThat(Analyses.of(catchThrowable(() -> WebhookHost.start(
                                OnTomcat.class,
                                PATHS + "/hooks/partner/bytes",
                                "credential.webhook.inbound.partner.methods=put")))
                        .getDescription())
                .contains("'/hooks/partner/bytes' with PUT");
    }

    @ParameterizedTest
    @CsvSource({"PUT, OnTomcat", "'GET,DELETE', OnTomcat", "PATCH, WithRegisteredFilter"})
    void startWhenPostCanBecomeTheMethodThenRefused(String methods, String application) {
        FailureAnalysis analysis = Analyses.of(catchThrowable(() -> WebhookHost.start(
                application.equals("OnTomcat") ? OnTomcat.class : WithRegisteredFilter.class,
                PATHS + "/hooks/partner/any-method",
                "credential.webhook.inbound.partner.methods=" + methods,
                "spring.mvc.hiddenmethod.filter.enabled=" + application.equals("OnTomcat"))));

        assertThat(analysis.getDescription())
                .contains("'credential.webhook.inbound.partner.methods' is " + methods, "HiddenHttpMethodFilter");
        assertThat(analysis.getAction()).contains("'spring.mvc.hiddenmethod.filter.enabled'", "add POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "POST,PUT", "GET"})
    void startWhenPostCannotBecomeTheMethodThenRuns(String methods) {
        try (WebhookHost host = WebhookHost.start(
                OnTomcat.class,
                PATHS + "/hooks/partner/any-method",
                "credential.webhook.inbound.partner.methods=" + methods,
                "spring.mvc.hiddenmethod.filter.enabled=true")) {
            assertThat(host.send(host.post("/hooks/partner/any-method?_method=PUT", BODY))
                            .statusCode())
                    .isIn(401, 405);
        }
    }

    @Test
    void startWhenUnmappedPathsAreAllowedThenRuns() {
        try (WebhookHost host = WebhookHost.start(
                OnTomcat.class, PATHS + "/hooks/partnr", "credential.webhook.inbound.partner.allow-unmapped=true")) {
            assertThat(host.send(host.post("/hooks/partnr", BODY)).statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/legacy/hook", "/legacy/**"})
    void startWhenServletServesThePathThenRuns(String pattern) {
        try (WebhookHost host = WebhookHost.start(WithRoutes.class, PATHS + pattern)) {
            assertThat(host.context().isRunning()).isTrue();
        }
    }

    @Test
    void requestWhenRouteServesAllowedPathThenVerified() {
        try (WebhookHost host = WebhookHost.start(
                WithRoutes.class,
                PATHS + "/routes/partner",
                "credential.webhook.inbound.partner.allow-unmapped=true")) {
            assertThat(host.send(host.post("/routes/partner", BODY)).statusCode())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/routes/partner", "/legcy/hook"})
    void startWhenNoKnownHandlerServesThePathThenRefused(String pattern) {
        assertThat(Analyses.of(catchThrowable(() -> WebhookHost.start(WithRoutes.class, PATHS + pattern)))
                        .getDescription())
                .contains("'" + pattern + "'");
    }

    @Test
    void startWhenProcessorMethodHasWrongTypeThenRefused() {
        FailureAnalysis analysis = Analyses.of(catchThrowable(() -> WebhookHost.start(
                WrongTypes.class,
                PATHS + "/unused",
                "credential.webhook.inbound.partner.allow-unmapped=true",
                PROCESSOR + "paths=/payments/{account}",
                PROCESSOR + "algorithm=hmac-sha256-processor",
                PROCESSOR + "keys.v1=the secret of the processor")));

        assertThat(analysis.getDescription())
                .contains("WrongTypesController#payment")
                .contains("takes a VerifiedWebhook", "'/payments/{account}'", "have a ProcessorVerification")
                .contains("'hmac-sha256-processor'");
        assertThat(analysis.getAction()).contains("Declare a ProcessorVerification");
    }

    @Test
    void startWhenPartnerMethodHasWrongTypeThenRefused() {
        assertThat(Analyses.of(catchThrowable(() -> WebhookHost.start(WrongTypes.class, PATHS + "/partners/one")))
                        .getDescription())
                .contains("WrongTypesController#partner", "takes a ProcessorVerification", "have a VerifiedWebhook");
    }

    @Test
    void startWhenAControllerTakesEitherTypeThenRuns() {
        try (WebhookHost host = WebhookHost.start(
                EitherType.class,
                PATHS + "/either/partner",
                PROCESSOR + "paths=/either/payments",
                PROCESSOR + "algorithm=hmac-sha256-processor",
                PROCESSOR + "keys.v1=the secret of the processor")) {
            assertThat(host.send(host.post("/either/partner", BODY)
                                    .header(
                                            "Webhook-Signature",
                                            SIGNER.headers(BODY).get("Webhook-Signature")))
                            .body())
                    .isEqualTo("partner true false");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/legacy/hook",
                "/legacy/./hook",
                "/legacy/x/../hook",
                "/x/../legacy/hook",
                "/%2e/legacy/hook",
                "/legacy/%2e/hook"
            })
    void requestWhenServletPathHasDotsThenSignatureNeeded(String path) {
        try (WebhookHost host = WebhookHost.start(WithRoutes.class, PATHS + "/legacy/hook")) {
            assertThat(host.send(host.post(path, BODY)).statusCode()).isEqualTo(401);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(HookController.class)
    static class OnJetty {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    static class WithRoutes {

        @Bean
        RouterFunction<ServerResponse> routes() {
            return RouterFunctions.route()
                    .path(
                            "/routes",
                            nested -> nested.POST(
                                    "/partner", request -> ServerResponse.ok().build()))
                    .build();
        }

        @Bean
        ServletRegistrationBean<HttpServlet> legacy() {
            return new ServletRegistrationBean<>(new LegacyServlet(), "/legacy/*");
        }
    }

    static final class LegacyServlet extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {
            response.setStatus(HttpServletResponse.SC_OK);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class WithRegisteredFilter {

        @Bean
        FilterRegistrationBean<HiddenHttpMethodFilter> hiddenMethods() {
            return new FilterRegistrationBean<>(new HiddenHttpMethodFilter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(SlashController.class)
    static class WithSlash {}

    @RestController
    static final class SlashController {

        @PostMapping("/slash/")
        String slash() {
            return "reached";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(WrongTypesController.class)
    static class WrongTypes {}

    @RestController
    static final class WrongTypesController {

        @PostMapping("/payments/{account}")
        String payment(@PathVariable("account") String account, VerifiedWebhook webhook) {
            return account + webhook.id();
        }

        @PostMapping("/partners/{name}")
        String partner(@PathVariable("name") String name, ProcessorVerification verification) {
            return name + verification.scheme();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(EitherTypeController.class)
    static class EitherType {}

    @RestController
    static final class EitherTypeController {

        @PostMapping("/either/{name}")
        String either(
                @PathVariable("name") String name,
                Optional<VerifiedWebhook> webhook,
                Optional<ProcessorVerification> verification) {
            return name + " " + webhook.isPresent() + " " + verification.isPresent();
        }
    }
}
