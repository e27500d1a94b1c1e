package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.util.Set;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

import static org.assertj.core.api.Assertions.assertThat;

/** What strangers send is read, or refused by the specified exception and no other. */
class WebhookInputFuzzTests {

    private final WebhookFixture fixture = new WebhookFixture();
    private final WebhookVerifier verifier = fixture.verifier().build();
    private final ProcessorSignature pair = ProcessorSignature.builder()
            .secret("whsec_correct horse battery")
            .clock(fixture.clock)
            .build();

    @FuzzTest
    void signatureHeaders(byte[] input) {
        readOrRefused(Codes.REQUEST, () -> verifier.examine(WebhookFixture.header(text(input))));
    }

    @FuzzTest
    void processorHeaders(byte[] input) {
        readOrRefused(Codes.REQUEST, () -> pair.verify(text(input), WebhookFixture.BODY));
    }

    @FuzzTest
    void publicKeys(byte[] input) {
        readOrRefused(
                Codes.CONSTRUCTION,
                () -> WebhookVerifier.builder()
                        .algorithm("pqc-pem")
                        .key("p1", input)
                        .build());
    }

    private static void readOrRefused(Set<WebhookErrorCode> codes, Runnable call) {
        try {
            call.run();
        } catch (WebhookException e) {
            assertThat(codes).contains(e.errorCode());
        }
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }
}
