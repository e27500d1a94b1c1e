package io.credential.webhook.signature.scheme;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.Codes;
import io.credential.webhook.signature.WebhookVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What strangers send in the headers of a scheme is read, or refused by the specified exception and no other. */
class SchemeFuzzTests {

    @FuzzTest
    void standardWebhooks(byte[] input) {
        readOrRefused("standard-webhooks", input);
    }

    @FuzzTest
    void stripe(byte[] input) {
        readOrRefused("stripe", input);
    }

    @FuzzTest
    void github(byte[] input) {
        readOrRefused("github", input);
    }

    @FuzzTest
    void shopify(byte[] input) {
        readOrRefused("shopify", input);
    }

    @FuzzTest
    void slack(byte[] input) {
        readOrRefused("slack", input);
    }

    /** Each line of the input is the value of a header, in the order of their names. */
    private static void readOrRefused(String scheme, byte[] input) {
        SchemeSample sample = SchemeSample.of(scheme);
        WebhookVerifier verifier = WebhookVerifier.builder()
                .scheme(sample.webhookScheme())
                .key("v1", sample.key())
                .build();
        String[] lines = new String(input, StandardCharsets.UTF_8).split("\n", -1);
        Map<String, List<String>> headers = new HashMap<>();
        int next = 0;
        for (String name : new TreeSet<>(sample.headers().keySet())) {
            if (next < lines.length) {
                headers.put(name, List.of(lines[next]));
                next++;
            }
        }
        try {
            verifier.verify(sample.bytes(), headers);
        } catch (WebhookException e) {
            assertThat(Codes.REQUEST).contains(e.errorCode());
        }
    }
}
