package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The client libraries of others, where their signatures coincide with ours and where they do not. */
class ClientLibraryTests {

    private static final String SECRET = "whsec_correct horse battery";
    private static final String BODY = "{\"type\":\"payment.succeeded\",\"name\":\"Zo\u00eb\"}";
    private static final byte[] BYTES = BODY.getBytes(StandardCharsets.UTF_8);
    private static final long TOLERANCE = 300;

    private final WebhookFixture fixture = new WebhookFixture();
    private final Clock clock = Clock.fixed(fixture.clock.instant(), ZoneOffset.UTC);
    private final ProcessorSignature pair =
            ProcessorSignature.builder().secret(SECRET).clock(fixture.clock).build();

    @Test
    void stripeWhenThePairSignsThenVerifies() throws SignatureVerificationException {
        String header = pair.sign(BYTES);

        assertThat(Webhook.Signature.verifyHeader(BODY, header, SECRET, TOLERANCE, clock))
                .isTrue();
        assertThatExceptionOfType(SignatureVerificationException.class)
                .isThrownBy(() -> Webhook.Signature.verifyHeader(BODY + " ", header, SECRET, TOLERANCE, clock));
    }

    @Test
    void pairWhenStripeSignsThenVerifies() throws Exception {
        long now = fixture.clock.instant().getEpochSecond();
        String header = Webhook.Signature.generateSignatureHeader(BODY, SECRET, now);

        assertThat(pair.verify(header, BYTES)).isEqualTo(new ProcessorVerification(now, "v1"));
        assertThat(pair.sign(BYTES, now)).isEqualTo(header);
        Codes.assertRefused(
                "webhook/bad-signature", () -> pair.verify(header, (BODY + " ").getBytes(StandardCharsets.UTF_8)));
    }

    /** Of a header with two secrets' signatures, as it is sent while secrets are exchanged. */
    @Test
    void verifyWhenThereAreSeveralSignaturesThenBothFindIt() throws Exception {
        String header = pair.sign(BYTES).replace(",v1=", ",v1=" + "0".repeat(64) + ",v0=other,v1=");

        assertThat(Webhook.Signature.verifyHeader(BODY, header, SECRET, TOLERANCE, clock))
                .isTrue();
        assertThat(pair.verify(header, BYTES).scheme()).isEqualTo("v1");
    }

    /** Their library has no clock to set, so this one test signs as of now. */
    @Test
    void standardWebhooksThenSharesThePrimitive() throws Exception {
        byte[] key = SECRET.getBytes(StandardCharsets.UTF_8);
        com.standardwebhooks.Webhook theirs = new com.standardwebhooks.Webhook(key);
        long now = Instant.now().getEpochSecond();
        byte[] head = ("msg_1." + now + ".").getBytes(StandardCharsets.UTF_8);

        String ours = "v1,"
                + Base64.getEncoder().encodeToString(new HmacSha256Key(SecretBytes.copyOf(key)).compute(head, BYTES));

        assertThat(theirs.sign("msg_1", now, BODY)).isEqualTo(ours);
        assertThatCode(() -> theirs.verify(BODY, standardHeaders(now, ours))).doesNotThrowAnyException();
        assertThatExceptionOfType(WebhookVerificationException.class)
                .isThrownBy(() -> theirs.verify(BODY + " ", standardHeaders(now, ours)));
    }

    /** It signs the id too, and writes base64 into a header of another form. */
    @Test
    void standardWebhooksWhenGivenToThePairThenRefused() throws Exception {
        long now = fixture.clock.instant().getEpochSecond();
        String theirs =
                new com.standardwebhooks.Webhook(SECRET.getBytes(StandardCharsets.UTF_8)).sign("msg_1", now, BODY);

        Codes.assertRefused("webhook/bad-stripe-header", () -> pair.verify(theirs, BYTES));
        Codes.assertRefused("webhook/bad-signature", () -> pair.verify("t=" + now + ",v1=" + inHex(theirs), BYTES));
    }

    private static Map<String, List<String>> standardHeaders(long now, String signature) {
        return Map.of(
                "webhook-id", List.of("msg_1"),
                "webhook-timestamp", List.of(String.valueOf(now)),
                "webhook-signature", List.of(signature));
    }

    private static String inHex(String signature) {
        return HexText.encode(Base64.getDecoder().decode(signature.substring("v1,".length())));
    }
}
