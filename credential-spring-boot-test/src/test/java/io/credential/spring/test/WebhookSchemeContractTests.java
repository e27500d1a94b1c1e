package io.credential.spring.test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import io.credential.secret.SecretBytes;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;
import io.credential.webhook.signature.scheme.WebhookClaims;
import io.credential.webhook.signature.scheme.WebhookClaims.Part;
import io.credential.webhook.signature.scheme.WebhookScheme;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The contract finds what authors of schemes do wrong. */
class WebhookSchemeContractTests {

    enum Defect {
        IGNORES_THE_BODY,
        IGNORES_THE_TIME,
        IGNORES_THE_URL,
        IGNORES_THE_KEY,
        HIDES_THAT_THE_TIME_IS_SIGNED,
        SAYS_THAT_THE_TYPE_IS_SIGNED,
        TAKES_THE_FIRST_OF_TWO_LINES,
        TAKES_THE_FIRST_OF_TWO_KEYS,
        TRUSTS_NUMBERS,
        NAMES_ANOTHER_KEY
    }

    /** Passes. */
    @Nested
    class WithoutDefect extends Contract {

        WithoutDefect() {
            super(null);
        }
    }

    @Test
    void contractWhenSchemeIsWrongThenFails() {
        assertFinds(with(Defect.IGNORES_THE_BODY)::verifyWhenTheBodyChangesThenBadSignature, "of its body changed");
        assertFinds(with(Defect.IGNORES_THE_TIME)::verifyWhenASignedHeaderChangesThenRefused, "X-Time: 5");
        assertFinds(with(Defect.IGNORES_THE_TIME)::claimsThenSayWhatTheSignatureCovers, "[TYPE, TIMESTAMP]");
        assertFinds(with(Defect.IGNORES_THE_URL)::verifyWhenTheSignedUrlChangesThenRefused, "the URL 5");
        assertFinds(with(Defect.IGNORES_THE_KEY)::verifyWhenTheKeyIsAnotherThenBadSignature, "another key");
        assertFinds(
                with(Defect.HIDES_THAT_THE_TIME_IS_SIGNED)::claimsThenSayWhatTheSignatureCovers, "[TYPE, TIMESTAMP]");
        assertFinds(with(Defect.SAYS_THAT_THE_TYPE_IS_SIGNED)::claimsThenSayWhatTheSignatureCovers, "[TYPE]");
        assertFinds(
                with(Defect.TAKES_THE_FIRST_OF_TWO_LINES)::verifyWhenASignedHeaderChangesThenRefused, "X-Sign twice");
        assertFinds(with(Defect.TAKES_THE_FIRST_OF_TWO_KEYS)::verifyWhenOneOfTwoKeysMatchesThenNamesIt, "refused");
        assertFinds(
                with(Defect.TRUSTS_NUMBERS)::verifyWhenHeadersAreStrangeThenNothingElseThrown, "only WebhookException");
        assertFinds(with(Defect.NAMES_ANOTHER_KEY)::verifyWhenSignedThenAcceptedWithItsClaims, "v1");
    }

    private static Contract with(Defect defect) {
        return new Contract(defect);
    }

    private static void assertFinds(Executable test, String message) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(test::execute)
                .withMessageContaining(message);
    }

    static class Contract extends WebhookSchemeContract {

        private final Scheme scheme;

        Contract(@Nullable Defect defect) {
            this.scheme = new Scheme(defect);
        }

        @Override
        protected WebhookScheme scheme() {
            return scheme;
        }

        @Override
        protected List<SignedRequest> requests() {
            byte[] body = "{}".getBytes(UTF_8);
            SecretBytes key = SecretBytes.copyOf("secret".getBytes(UTF_8));
            return List.of(SignedRequest.of("v1", "secret", body, scheme.claims("created", 17))
                    .signedUrl("https://shop.example/")
                    .signedHeader("X-Sign", scheme.signature(key, "https://shop.example/", 17, body))
                    .signedHeader("X-Time", "17")
                    .header("X-Type", "created"));
        }

        @Override
        protected String otherKey() {
            return "another secret";
        }
    }

    /** Signs the time, the URL and the body. */
    private record Scheme(@Nullable Defect defect) implements WebhookScheme {

        @Override
        public String name() {
            return "test";
        }

        @Override
        public Verifier verifier(Map<String, SecretBytes> keys) {
            int trusted = has(Defect.TAKES_THE_FIRST_OF_TWO_KEYS) ? 1 : keys.size();
            return head -> {
                String signature = has(Defect.TAKES_THE_FIRST_OF_TWO_LINES)
                                && !head.lines("X-Sign").isEmpty()
                        ? head.lines("X-Sign").get(0)
                        : head.required("X-Sign", 64);
                String time = head.required("X-Time", 9);
                if (!has(Defect.TRUSTS_NUMBERS) && !time.matches("[0-9]+")) {
                    throw new WebhookException(WebhookErrorCode.BAD_TIMESTAMP, "X-Time must be a number");
                }
                long seconds = Long.parseLong(time);
                return Presented.of(
                        claims(head.optional("X-Type", 100), seconds),
                        body -> keys.entrySet().stream()
                                .limit(trusted)
                                .filter(key -> has(Defect.IGNORES_THE_KEY)
                                        || signature.equals(signature(key.getValue(), head.url(), seconds, body)))
                                .map(key -> new Match(has(Defect.NAMES_ANOTHER_KEY) ? "v2" : key.getKey(), "hmac"))
                                .findFirst()
                                .orElseThrow(() -> new WebhookException(WebhookErrorCode.BAD_SIGNATURE, "Wrong")));
            };
        }

        WebhookClaims claims(@Nullable String type, long time) {
            Set<Part> signed = has(Defect.SAYS_THAT_THE_TYPE_IS_SIGNED)
                    ? Set.of(Part.TIMESTAMP, Part.TYPE)
                    : Set.of(Part.TIMESTAMP);
            return new WebhookClaims(null, type, time, has(Defect.HIDES_THAT_THE_TIME_IS_SIGNED) ? Set.of() : signed);
        }

        String signature(SecretBytes key, String url, long time, byte[] body) {
            String head = (has(Defect.IGNORES_THE_TIME) ? "" : time) + (has(Defect.IGNORES_THE_URL) ? "" : url);
            return HexText.encode(new HmacSha256Key(key)
                    .compute(head.getBytes(UTF_8), has(Defect.IGNORES_THE_BODY) ? new byte[0] : body));
        }

        private boolean has(Defect other) {
            return defect == other;
        }
    }
}
