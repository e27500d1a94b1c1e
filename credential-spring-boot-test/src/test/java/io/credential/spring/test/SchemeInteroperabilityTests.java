package io.credential.spring.test;

import java.net.http.HttpHeaders;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.stripe.net.Webhook;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.WebhookVerifier;
import io.credential.webhook.signature.scheme.WebhookScheme;
import io.credential.webhook.signature.scheme.WebhookSchemes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The senders' libraries for Java verify what the test kit signs, and sign what the schemes verify. Those of Standard Webhooks
 * have no clock to set, so that everything is signed as of now.
 */
class SchemeInteroperabilityTests {

    private static final String KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String BODY = "{\"name\":\"Zo\u00eb\"}";

    private final Instant now = Instant.now();

    @Test
    void standardWebhooksThenVerifiesOursAndIsVerified() throws Exception {
        com.standardwebhooks.Webhook theirs = new com.standardwebhooks.Webhook(KEY);
        Map<String, List<String>> headers = standard("webhook-", theirs.sign("msg_1", now.getEpochSecond(), BODY));

        assertVerified(WebhookSchemes.standardWebhooks(), headers);
        assertThat(ours()).isEqualTo(headers);
        assertThatCode(() -> theirs.verify(BODY, headers)).doesNotThrowAnyException();
        assertThatExceptionOfType(WebhookVerificationException.class)
                .isThrownBy(() -> theirs.verify(BODY + " ", headers));
    }

    @Test
    void svixThenVerifiesOursAndIsVerified() throws Exception {
        com.svix.Webhook theirs = new com.svix.Webhook(KEY);
        String signature = theirs.sign("msg_1", now.getEpochSecond(), BODY);

        assertVerified(WebhookSchemes.standardWebhooks(), standard("svix-", signature));
        HttpHeaders ours = HttpHeaders.of(ours(), (name, value) -> true);
        assertThatCode(() -> theirs.verify(BODY, ours)).doesNotThrowAnyException();
        assertThatExceptionOfType(com.svix.exceptions.WebhookVerificationException.class)
                .isThrownBy(() -> theirs.verify(BODY + " ", ours));
    }

    /** The other way is that of the processor style, whose tests have it. */
    @Test
    void stripeThenIsVerified() throws Exception {
        String theirs = Webhook.Signature.generateSignatureHeader(BODY, KEY, now.getEpochSecond());

        assertVerified(WebhookSchemes.stripe(), Map.of("Stripe-Signature", List.of(theirs)));
    }

    private Map<String, List<String>> standard(String prefix, String signature) {
        return Map.of(
                prefix + "id", List.of("msg_1"),
                prefix + "timestamp", List.of(String.valueOf(now.getEpochSecond())),
                prefix + "signature", List.of(signature));
    }

    private Map<String, List<String>> ours() {
        return new SchemeSignatures(KEY.getBytes(UTF_8), "msg_1", now, BODY.getBytes(UTF_8))
                .headers("standard-webhooks").entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue())));
    }

    private void assertVerified(WebhookScheme scheme, Map<String, List<String>> headers) {
        WebhookVerifier verifier = WebhookVerifier.builder()
                .scheme(scheme)
                .key("v1", KEY)
                .clock(() -> now)
                .build();
        assertThat(verifier.verify(BODY.getBytes(UTF_8), headers).kid()).isEqualTo("v1");
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> verifier.verify((BODY + " ").getBytes(UTF_8), headers));
    }
}
