package io.credential.spring.webhook;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Requests that reach a protected path by another dispatch than that of the client. */
class WebhookDispatchTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String UNSIGNED = "webhook/missing-header";

    private static final String BAD_SIGNATURE = "webhook/bad-signature";
    private static final String OF_ANOTHER_SENDER = "/hooks/shop";

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", WebhookHost.SECRET)
            .build();

    @ParameterizedTest
    @CsvSource({
        "OnTomcat, /open/forward",
        "OnTomcat, /open/include",
        "OnTomcat, /open/dispatch",
        "OnJetty, /open/forward",
        "OnJetty, /open/include",
        "OnJetty, /open/dispatch"
    })
    void requestWhenSentOnToProtectedPathThenVerified(String server, String path) {
        try (WebhookHost host = start(server)) {
            assertThat(host.send(host.post(path, BODY)).body())
                    .contains(UNSIGNED)
                    .doesNotContain("reached");
            assertThat(signed(host, path).body()).isEqualTo("reached with {}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OnTomcat", "OnJetty"})
    void requestWhenVerifiedThenNotVerifiedAgain(String server) {
        try (WebhookHost host = start(server)) {
            assertThat(signed(host, "/hooks/partner/callable").body()).isEqualTo("called with {}");
            assertThat(signed(host, "/hooks/partner/forward").body()).isEqualTo("reached with {}");
            assertThat(signed(host, "/hooks/partner/out").body()).isEqualTo("open");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"OnTomcat", "OnJetty"})
    void requestWhenSentOnToPathOfAnotherSenderThenRefused(String server) {
        try (WebhookHost host = start(server)) {
            assertThat(signed(host, "/hooks/partner/to-shop").body())
                    .contains(BAD_SIGNATURE)
                    .doesNotContain("shop");
        }
    }

    @Test
    void requestWhenByAnotherMethodThenAsyncResultIsSent() {
        try (WebhookHost host = WebhookHost.start(WithSecurity.class)) {
            String user = Base64.getEncoder().encodeToString("user:password".getBytes(UTF_8));

            assertThat(host.send(HttpRequest.newBuilder(host.uri("/hooks/partner/callable"))
                                    .header("Authorization", "Basic " + user))
                            .body())
                    .isEqualTo("called");
        }
    }

    private static WebhookHost start(String server) {
        return WebhookHost.start(
                server.equals("OnJetty") ? OnJetty.class : OnTomcat.class,
                "credential.webhook.inbound.partner.nonce-store=memory",
                "credential.webhook.inbound.shop.paths=" + OF_ANOTHER_SENDER,
                "credential.webhook.inbound.shop.keys.v1=another secret of the tests, long enough",
                "credential.webhook.inbound.shop.nonce-store=memory");
    }

    private static HttpResponse<String> signed(WebhookHost host, String path) {
        return host.send(host.post(path, BODY)
                .header("Webhook-Signature", SIGNER.headers(BODY).get("Webhook-Signature")));
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(DispatchingController.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(DispatchingController.class)
    static class OnJetty {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @WebhookHost.SecurityStarter
    @Import(DispatchingController.class)
    static class WithSecurity {}

    @RestController
    static final class DispatchingController {

        private static final String TARGET = "/hooks/partner/target";

        @PostMapping({"/open/forward", "/hooks/partner/forward"})
        void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher(TARGET).forward(request, response);
        }

        @PostMapping("/open/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher(TARGET).include(request, response);
        }

        @PostMapping("/open/dispatch")
        void dispatch(HttpServletRequest request, HttpServletResponse response) {
            request.startAsync(request, response).dispatch(TARGET);
        }

        @PostMapping("/hooks/partner/out")
        void forwardOut(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher("/open/target").forward(request, response);
        }

        @PostMapping("/hooks/partner/to-shop")
        void forwardToShop(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher(OF_ANOTHER_SENDER).forward(request, response);
        }

        @PostMapping(OF_ANOTHER_SENDER)
        String shop() {
            return "shop";
        }

        @PostMapping("/open/target")
        String open() {
            return "open";
        }

        @PostMapping(TARGET)
        String target(@RequestBody byte[] body) {
            return "reached with " + new String(body, UTF_8);
        }

        @PostMapping("/hooks/partner/callable")
        Callable<String> callable(@RequestBody byte[] body) {
            return () -> "called with " + new String(body, UTF_8);
        }

        @GetMapping("/hooks/partner/callable")
        Callable<String> callable() {
            return () -> "called";
        }
    }
}
