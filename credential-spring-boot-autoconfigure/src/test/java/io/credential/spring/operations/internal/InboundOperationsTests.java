package io.credential.spring.operations.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.audit.AuditAutoConfiguration;
import io.credential.spring.autoconfigure.database.CredentialDatabaseAutoConfiguration;
import io.credential.spring.autoconfigure.database.LocalSqliteAutoConfiguration;
import io.credential.spring.autoconfigure.operations.internal.InboundOperationsConfiguration;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.spring.operations.internal.InboundOperations.ConfiguredSender;
import io.credential.spring.operations.internal.InboundOperations.SenderActivity;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** The senders of an application, and what became of their requests. */
class InboundOperationsTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String PARTNER = "credential.webhook.inbound.partner.";

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", SECRET.getBytes(UTF_8))
            .build();

    @TempDir
    private Path directory;

    private WebApplicationContextRunner runner(String... properties) {
        return new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CredentialAutoConfiguration.class,
                        LocalSqliteAutoConfiguration.class,
                        CredentialDatabaseAutoConfiguration.class,
                        AuditAutoConfiguration.class,
                        WebhookAutoConfiguration.class))
                .withUserConfiguration(InboundOperationsConfiguration.class)
                .withPropertyValues(
                        "credential.webhook.dispatcher.enabled=false",
                        "credential.storage.path=" + directory.resolve("credential.db"))
                .withPropertyValues(properties);
    }

    @Test
    void sendersWhenNoneIsConfiguredThenEmpty() {
        runner().run(context -> {
            InboundOperations operations = context.getBean(InboundOperations.class);
            assertThat(operations.senders()).isEmpty();
            assertThat(operations.storedNonces()).isNull();
        });
    }

    @Test
    void sendersThenShowHowTheyAreConfigured() {
        runner(
                        PARTNER + "paths=/hooks/partner,/hooks/more",
                        PARTNER + "keys.v1=" + SECRET,
                        "credential.webhook.inbound.shop.paths=/hooks/shop",
                        "credential.webhook.inbound.shop.scheme=github",
                        "credential.webhook.inbound.shop.keys.v1=shop" + SECRET,
                        "credential.webhook.inbound.shop.nonce-store=memory",
                        "credential.webhook.inbound.bank.paths=/hooks/bank",
                        "credential.webhook.inbound.bank.scheme=processor",
                        "credential.webhook.inbound.bank.keys.v1=bank" + SECRET)
                .run(context -> assertThat(
                                context.getBean(InboundOperations.class).senders())
                        .extracting(SenderActivity::sender)
                        .extracting(ConfiguredSender::name, ConfiguredSender::scheme, ConfiguredSender::nonceStore)
                        .containsExactlyInAnyOrder(
                                tuple("partner", "hmac-sha3-512", "none"),
                                tuple("shop", "github", "memory"),
                                tuple("bank", "processor", "none")));
    }

    @Test
    void sendersWhenRequestsCameThenCountsThemByCode() {
        runner(PARTNER + "paths=/hooks/partner", PARTNER + "keys.v1=" + SECRET, PARTNER + "nonce-store=jdbc")
                .run(context -> {
                    MockHttpServletRequest signed = signed();
                    assertThat(status(context, signed)).isEqualTo(200);
                    assertThat(status(context, copy(signed))).isEqualTo(401);
                    assertThat(status(context, signed())).isEqualTo(200);
                    assertThat(status(context, request("POST"))).isEqualTo(401);
                    assertThat(status(context, request("POST"))).isEqualTo(401);
                    assertThat(status(context, request("DELETE"))).isEqualTo(405);
                    MockHttpServletRequest encoded = signed();
                    encoded.addHeader("Content-Encoding", "br");
                    assertThat(status(context, encoded)).isEqualTo(415);

                    InboundOperations operations = context.getBean(InboundOperations.class);
                    SenderActivity partner = operations.senders().get(0);
                    assertThat(partner.accepted()).isEqualTo(2);
                    assertThat(partner.rejected())
                            .isEqualTo(Map.of(
                                    "webhook/replay", 1L,
                                    "webhook/missing-header", 2L,
                                    "webhook/method-not-allowed", 1L,
                                    "webhook/unsupported-media-type", 1L));
                    assertThat(operations.storedNonces()).isEqualTo(2);
                });
    }

    private static int status(ApplicationContext context, MockHttpServletRequest request) throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        WebhookSignatureFilter filter = (WebhookSignatureFilter) Objects.requireNonNull(
                context.getBean(FilterRegistrationBean.class).getFilter());
        filter.doFilter(request, response, new MockFilterChain());
        return response.getStatus();
    }

    private static MockHttpServletRequest signed() {
        MockHttpServletRequest request = request("POST");
        SIGNER.sign(BODY).headers().forEach(request::addHeader);
        return request;
    }

    private static MockHttpServletRequest copy(MockHttpServletRequest signed) {
        MockHttpServletRequest request = request("POST");
        signed.getHeaderNames()
                .asIterator()
                .forEachRemaining(name -> request.addHeader(name, Objects.requireNonNull(signed.getHeader(name))));
        return request;
    }

    private static MockHttpServletRequest request(String method) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, "/hooks/partner");
        request.setContent(BODY);
        return request;
    }
}
