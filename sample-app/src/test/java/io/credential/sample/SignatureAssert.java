package io.credential.sample;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.credential.sample.Partner.Webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Verifies signatures with the JDK alone. */
final class SignatureAssert {

    private SignatureAssert() {}

    /** {@code t=..,id=..,v1=..} over {@code hmac-sha3-512.v1.<t>.<id>.<body>}. */
    static void assertSigned(Webhook webhook) {
        assertSigned(webhook, Map.of("v1", WebhookFixture.SECRET));
    }

    /** Exactly the keys with these kids have signed, the latest first. */
    static void assertSigned(Webhook webhook, Map<String, String> secrets) {
        String text = webhook.header("Webhook-Signature");
        Matcher header =
                Pattern.compile("t=(\\d+),id=([^,]+)((?:,v\\d=[0-9a-f]{128})+)").matcher(text);
        assertThat(header.matches()).as(text).isTrue();
        List<String> expected = secrets.entrySet().stream()
                .sorted(Map.Entry.<String, String>comparingByKey().reversed())
                .map(key -> key.getKey() + "="
                        + signature(
                                key.getValue(),
                                "hmac-sha3-512." + key.getKey() + "." + header.group(1) + "." + header.group(2) + "."
                                        + webhook.body()))
                .toList();
        assertThat(header.group(3)).isEqualTo("," + String.join(",", expected));
    }

    private static String signature(String secret, String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA3-512");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA3-512"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
