package io.credential.spring.webhook.internal;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpServletRequest;

import io.credential.spring.webhook.HookController;
import io.credential.spring.webhook.WebhookHost;
import io.credential.spring.webhook.internal.InboundWebhooks.AmbiguousPathException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Which requests need a signature, however their path is written. */
class InboundWebhooksTests {

    private static final SignatureCheck CHECK = request -> {
        throw new AssertionError("No request is verified here");
    };

    private final InboundWebhooks webhooks = new InboundWebhooks(List.of(
            new InboundWebhook("any", List.of("/any/**"), Set.of("POST"), CHECK, 1, true, null, null),
            new InboundWebhook(
                    "partner", List.of("/hooks/partner", "/hooks/p*"), Set.of("POST"), CHECK, 1, true, null, null),
            new InboundWebhook("all", List.of("/all/**"), Set.of("POST"), CHECK, 1, true, null, null),
            new InboundWebhook("one", List.of("/all/one"), Set.of("PUT"), CHECK, 1, true, null, null)));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hooks/partner",
                "/hooks/partner/",
                "/hooks//partner",
                "//hooks/partner",
                "///hooks////partner///",
                "/HOOKS//Partner",
                "/hooks/;a=b/partner",
                "/hooks;a=b//partner;c",
                "/hooks//%70artner",
                "/hooks%2Fpartner",
                "/hooks/%2F/partner%2f"
            })
    void findWhenPathIsEquivalentThenReturnsSender(String path) throws Exception {
        assertThat(find(path)).isEqualTo("partner");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "//", "/hooks", "/hooks//", "/hookspartner", "/hooks/partner/more", "/hooks/%2570artner"})
    void findWhenPathIsAnotherThenNull(String path) throws Exception {
        assertThat(find(path)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/all/one", "/All/ONE", "/all//one/", "/all/%6Fne"})
    void findWhenPathIsThatOfTwoSendersThenAmbiguous(String path) {
        assertThatExceptionOfType(AmbiguousPathException.class).isThrownBy(() -> find(path));
    }

    @Test
    void findWhenServerReadsAnotherSendersPathThenAmbiguous() {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", "/any/../hooks/partner");
        request.setServletPath("/hooks/partner");

        assertThatExceptionOfType(AmbiguousPathException.class).isThrownBy(() -> webhooks.find(request));
    }

    @Test
    void pathsWhenEverySpellingIsTheSameThenParsedOnce() throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/whoami");
        request.setServletPath("/whoami");

        assertThat(InboundWebhooks.paths(request)).hasSize(1);
    }

    @Test
    void antPatternWhenSlashesRepeatThenSignatureNeeded() {
        try (WebhookHost host = WebhookHost.start(
                Application.class,
                "spring.mvc.pathmatch.matching-strategy=ant_path_matcher",
                "credential.webhook.inbound.partner.paths=/hooks/partner/bytes")) {
            byte[] body = {1};

            assertThat(host.send(host.post("/open//bytes", body)).body())
                    .as("mapped")
                    .isEqualTo("open");
            assertThat(host.send(host.post("/hooks//partner/bytes", body)).statusCode())
                    .isEqualTo(401);
            assertThat(host.send(host.post("/hooks/partner/;a/bytes", body)).statusCode())
                    .isEqualTo(401);
        }
    }

    private @Nullable String find(String path) throws Exception {
        InboundWebhook found = webhooks.find(new MockHttpServletRequest("POST", path));
        return found == null ? null : found.name();
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class Application {}
}
