package io.credential.webhook.signature;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static org.assertj.core.api.Assertions.assertThat;

/** The checks in their order, and the code of each. */
class WebhookVerifierTests {

    private static final String SIGNATURE = "0".repeat(128);

    private final WebhookFixture fixture = new WebhookFixture();
    private final WebhookVerifier verifier = fixture.verifier().build();
    private final SignedWebhook signed = fixture.signer().build().sign(WebhookFixture.BODY);

    /** Other senders do not compress; a gateway may, after they have signed. */
    @Test
    void encodedBodyWhenFormatIsOursThenSigned() {
        assertThat(WebhookVerifier.builder()
                        .algorithm("hmac-sha3-512")
                        .key("v1", "a secret of the tests, long enough")
                        .build()
                        .isEncodedBodySigned())
                .isTrue();
        for (WebhookScheme scheme : WebhookSchemes.all()) {
            assertThat(scheme.isEncodedBodySigned()).as(scheme.name()).isFalse();
        }
    }

    @Test
    void verifyWhenHeaderHasOver32SegmentsThenRefused() {
        StringBuilder most =
                new StringBuilder(WebhookFixture.line(fixture.signer().build().sign(WebhookFixture.BODY)));
        for (int i = 4; i <= 32; i++) {
            most.append(",k").append(i).append("=00");
        }

        assertThat(verifier.verify(WebhookFixture.BODY, WebhookFixture.header(most.toString()))
                        .kid())
                .isEqualTo("v1");
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verifier.verify(WebhookFixture.BODY, WebhookFixture.header(most + ",k33=00")));
    }

    @Test
    void verifyWhenSignedThenTellsWhatTheSignatureSays() {
        assertThat(verify(WebhookFixture.line(signed)))
                .isEqualTo(new VerifiedWebhook("hmac-sha3-512", "v1", 1767225600, signed.id()));
    }

    @Test
    void verifyWhenTheBodyIsEmptyThenItIsABody() {
        SignedWebhook empty = fixture.signer().build().sign(new byte[0]);

        assertThat(verifier.verify(new byte[0], WebhookFixture.headers(empty)).id())
                .isEqualTo(empty.id());
    }

    @ParameterizedTest
    @ValueSource(strings = {"webhook-signature", "WEBHOOK-SIGNATURE", "wEBHOOK-sIGNATURE"})
    void verifyWhenHeaderNameDiffersInCaseThenAccepted(String name) {
        Map<String, List<String>> headers = new HashMap<>();
        headers.put(null, List.of("HTTP/1.1 200 OK"));
        headers.put("Other", null);
        headers.put(name, List.of(WebhookFixture.line(signed)));

        assertThat(verifier.verify(WebhookFixture.BODY, headers).kid()).isEqualTo("v1");
    }

    @Test
    void verifyWhenLocaleIsTurkishThenHeaderIsFound() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("tr-TR"));
        try {
            WebhookVerifier dotted =
                    fixture.verifier().signatureHeader("X-ID-SIGNATURE").build();
            assertThat(dotted.verify(
                                    WebhookFixture.BODY, Map.of("x-id-signature", List.of(WebhookFixture.line(signed))))
                            .kid())
                    .isEqualTo("v1");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void signatureHeaderWhenChosenThenOnlyItIsRead() {
        WebhookVerifier other =
                fixture.verifier().signatureHeader("X-Signature").build();

        assertThat(other.verify(WebhookFixture.BODY, Map.of("X-Signature", List.of(WebhookFixture.line(signed))))
                        .kid())
                .isEqualTo("v1");
        Codes.assertRefused(
                "webhook/missing-header", () -> other.verify(WebhookFixture.BODY, WebhookFixture.headers(signed)));
    }

    @Test
    void verifyWhenHeaderIsMissingThenRefused() {
        Codes.assertRefused("webhook/missing-header", () -> verifier.verify(WebhookFixture.BODY, Map.of()));
        Codes.assertRefused("webhook/missing-header", () -> verifier.verify(WebhookFixture.BODY, null));
        Codes.assertRefused(
                "webhook/missing-header",
                () -> verifier.verify(WebhookFixture.BODY, Map.of(WebhookFixture.HEADER, List.of())));
    }

    @Test
    void verifyWhenThereAreTwoHeaderLinesThenRefused() {
        String line = WebhookFixture.line(signed);
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verifier.verify(WebhookFixture.BODY, Map.of(WebhookFixture.HEADER, List.of(line, line))));
        Codes.assertRefused(
                "webhook/bad-header-format",
                () -> verifier.verify(
                        WebhookFixture.BODY,
                        Map.of("Webhook-Signature", List.of(line), "webhook-signature", List.of(line))));
        Codes.assertRefused("webhook/bad-header-format", () -> verify(line + "," + line));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "t",
                "=",
                "t=1767225600,id=a,v1=0,",
                ",t=1767225600,id=a,v1=0",
                "t=1767225600,,id=a,v1=0",
                "t=1767225600, ,id=a,v1=0",
                "t=,id=a,v1=0",
                "t=1767225600,id=,v1=0",
                "t=1767225600,id=a,v1=",
                "t=1767225600,id=a,=0",
                "t=1767225600,id=a,v1",
                "t=1767225600,t=1767225600,id=a,v1=0",
                "t=1767225600,id=a,id=a,v1=0",
                "t=1767225600,id=a,id=b,v1=0",
                "t=1767225600,id=a,v1=0,v1=1",
                "t=1767225600,id=a,x=0,x=1,v1=0",
                "t=1767225600,id=a.b,v1=0",
                "t=1767225600,id=a b,v1=0",
                "t=1767225600,id=a=b,v1=0",
                "t=1767225600,id=ä,v1=0",
                "t=1767225600,id=a,v.1=0",
                "t=1767225600,id=a,v 1=0",
                "t=1767225600,id=a,v1 =0",
                "t=1767225600,id=a,vä=0",
                "t=1767225600,id=a\u00a0,v1=0"
            })
    void verifyWhenHeaderIsMalformedThenRefused(String header) {
        Codes.assertRefused("webhook/bad-header-format", () -> verify(header));
    }

    @Test
    void verifyWhenBlanksAreAroundCommasThenAccepted() {
        assertThat(verify("  " + WebhookFixture.line(signed).replace(",", " \t,  ") + "\t")
                        .id())
                .isEqualTo(signed.id());
    }

    @Test
    void verifyWhenIdOrKidIsOver128CharactersThenRefused() {
        String longest = "i".repeat(128);
        SignedWebhook ofLongest =
                fixture.signer().idGenerator(() -> longest).build().sign(WebhookFixture.BODY);

        assertThat(verify(WebhookFixture.line(ofLongest)).id()).isEqualTo(longest);
        Codes.assertRefused(
                "webhook/bad-header-format", () -> verify("t=1767225600,id=" + longest + "i,v1=" + SIGNATURE));
        Codes.assertRefused(
                "webhook/bad-header-format", () -> verify("t=1767225600,id=a," + "k".repeat(129) + "=" + SIGNATURE));
    }

    @Test
    void verifyWhenHmacHeaderIsOver8KibThenRefused() {
        String line = WebhookFixture.line(signed) + ",other=";

        assertThat(verify(line + "0".repeat(8192 - line.length())).kid()).isEqualTo("v1");
        Codes.assertRefused("webhook/bad-header-format", () -> verify(line + "0".repeat(8193 - line.length())));
    }

    @Test
    void verifyWhenTimestampIsMissingThenRefused() {
        Codes.assertRefused("webhook/missing-timestamp", () -> verify("id=a,v1=" + SIGNATURE));
        Codes.assertRefused("webhook/missing-timestamp", () -> verify("v1=" + SIGNATURE));
        Codes.assertRefused("webhook/missing-timestamp", () -> verify("T=1767225600,id=a,v1=" + SIGNATURE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01767225600",
                "+1767225600",
                "-1767225600",
                "-0",
                "00",
                "1767225600.0",
                "1.7e9",
                "0x69",
                "now",
                "١٧٦٧٢٢٥٦٠٠",
                "1767225600 0",
                "31556889864403200",
                "99999999999999999",
                "9223372036854775808",
                "99999999999999999999999999"
            })
    void verifyWhenTimestampIsMalformedThenRefused(String timestamp) {
        Codes.assertRefused("webhook/bad-timestamp", () -> verify("t=" + timestamp + ",id=a,v1=" + SIGNATURE));
        Codes.assertRefused("webhook/bad-timestamp", () -> verify("t=" + timestamp));
    }

    @Test
    void verifyWhenIdIsMissingThenRefused() {
        Codes.assertRefused("webhook/missing-id", () -> verify("t=1767225600,v1=" + SIGNATURE));
        Codes.assertRefused("webhook/missing-id", () -> verify("t=1767225600"));
    }

    @Test
    void verifyWhenSignatureIsMissingThenRefused() {
        Codes.assertRefused("webhook/missing-signature", () -> verify("t=1767225600,id=a"));
        Codes.assertRefused("webhook/missing-signature", () -> verify("t=0,id=a"));
    }

    @Test
    void verifyWhenOlderThanTheToleranceThenExpired() {
        fixture.clock.advance(Duration.ofMinutes(5));
        assertThat(verify(WebhookFixture.line(signed)).id()).isEqualTo(signed.id());

        fixture.clock.advance(Duration.ofMillis(1));
        Codes.assertRefused("webhook/expired", () -> verify(WebhookFixture.line(signed)));
        Codes.assertRefused("webhook/expired", () -> verify("t=0,id=a,unknown=0"));
    }

    @Test
    void verifyWhenAheadBeyondTheClockSkewThenFuture() {
        fixture.clock.advance(Duration.ofMinutes(-1));
        assertThat(verify(WebhookFixture.line(signed)).id()).isEqualTo(signed.id());

        fixture.clock.advance(Duration.ofMillis(-1));
        Codes.assertRefused("webhook/future", () -> verify(WebhookFixture.line(signed)));
        Codes.assertRefused("webhook/future", () -> verify("t=31556889864403199,id=a,unknown=0"));
    }

    @Test
    void verifyWhenTheWindowIsNarrowedThenItCounts() {
        WebhookVerifier narrow = fixture.verifier()
                .tolerance(Duration.ofMillis(1))
                .clockSkew(Duration.ZERO)
                .build();
        Map<String, List<String>> headers = WebhookFixture.headers(signed);

        assertThat(narrow.verify(WebhookFixture.BODY, headers).kid()).isEqualTo("v1");
        fixture.clock.advance(Duration.ofMillis(2));
        Codes.assertRefused("webhook/expired", () -> narrow.verify(WebhookFixture.BODY, headers));
        fixture.clock.advance(Duration.ofMillis(-3));
        Codes.assertRefused("webhook/future", () -> narrow.verify(WebhookFixture.BODY, headers));
    }

    @Test
    void verifyWhenBodyCameTooLateThenExpired() {
        PresentedSignature<VerifiedWebhook> presented = verifier.examine(WebhookFixture.headers(signed));
        fixture.clock.advance(Duration.ofMinutes(6));

        Codes.assertRefused("webhook/expired", () -> presented.verify(WebhookFixture.BODY));
    }

    @Test
    void verifyWhenNoKidIsKnownThenRefused() {
        Codes.assertRefused(
                "webhook/unknown-kid", () -> verify("t=1767225600,id=a,v2=" + SIGNATURE + ",V1=" + SIGNATURE));
        Codes.assertRefused(
                "webhook/unknown-kid", () -> verifier.examine(WebhookFixture.header("t=1767225600,id=a,v2=0")));
    }

    @Test
    void verifyWhenBodyIsMissingThenRefused() {
        Codes.assertRefused("webhook/bad-body", () -> verifier.verify(null, WebhookFixture.headers(signed)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "not hex", "00=", "====", "ä"})
    void verifyWhenSignatureCannotBeDecodedThenRefused(String signature) {
        Codes.assertRefused("webhook/bad-signature", () -> verify("t=1767225600,id=a,v1=" + signature));
    }

    @Test
    void verifyWhenSignatureHasAnotherLengthThenRefused() {
        String line = WebhookFixture.line(signed);

        Codes.assertRefused("webhook/bad-signature", () -> verify(line.substring(0, line.length() - 2)));
        Codes.assertRefused("webhook/bad-signature", () -> verify(line + "00"));
    }

    @Test
    void verifyWhenSignatureIsInUpperCaseThenAccepted() {
        String upper = signed.signature().toUpperCase(Locale.ROOT);

        assertThat(verify(WebhookFixture.line(signed).replace(signed.signature(), upper))
                        .kid())
                .isEqualTo("v1");
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "true, true"})
    void verifyWhenSeveralKidsAreKnownThenEachIsTried(boolean wrongFirst, boolean unknownToo) {
        WebhookVerifier rotating =
                fixture.verifier().key("v0", "the key that is on its way out").build();
        String right = "v1=" + signed.signature();
        String wrong = "v0=" + SIGNATURE + (unknownToo ? ",v9=" + SIGNATURE : "");
        String line = "t=1767225600,id=" + signed.id() + "," + (wrongFirst ? wrong + "," + right : right + "," + wrong);

        assertThat(rotating.verify(WebhookFixture.BODY, WebhookFixture.header(line))
                        .kid())
                .isEqualTo("v1");
    }

    @Test
    void verifyWhenSeveralChecksFailThenCodeOfTheFirst() {
        List<String> codesInOrder = Arrays.asList(
                "a=", "webhook/bad-header-format",
                "x=1", "webhook/missing-timestamp",
                "t=x", "webhook/bad-timestamp",
                "t=0", "webhook/missing-id",
                "t=0,id=a", "webhook/missing-signature",
                "t=0,id=a,v9=0", "webhook/expired",
                "t=1767225600,id=a,v9=0", "webhook/unknown-kid",
                "t=1767225600,id=a,v1=0", "webhook/bad-signature");
        for (int i = 0; i < codesInOrder.size(); i += 2) {
            String header = codesInOrder.get(i);
            Codes.assertRefused(codesInOrder.get(i + 1), () -> verify(header));
        }
    }

    private VerifiedWebhook verify(String header) {
        return verifier.verify(WebhookFixture.BODY, WebhookFixture.header(header));
    }
}
