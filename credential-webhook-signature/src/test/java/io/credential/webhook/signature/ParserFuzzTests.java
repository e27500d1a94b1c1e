package io.credential.webhook.signature;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import org.bouncycastle.crypto.params.MLDSAParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.management.ThreadMXBean;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.ProcessorHeader;
import io.credential.webhook.signature.key.internal.KeySource;
import io.credential.webhook.signature.key.internal.PqcKeys;

import static java.lang.management.ManagementFactory.getThreadMXBean;
import static org.assertj.core.api.Assertions.assertThat;

/** Random input, the same on every run: nothing but the specified exceptions, and no more memory than is due. */
class ParserFuzzTests {

    private static final List<String> TOKENS = List.of(
            "t",
            "id",
            "v1",
            "v0",
            "=",
            "=",
            ",",
            ",",
            " ",
            "\t",
            ".",
            "-",
            "0",
            "1767225600",
            "01",
            "9",
            "a",
            "F",
            "abc",
            "\u0000",
            "\n",
            "ä",
            "\ud83d",
            "t=1767225600",
            "id=a",
            "v1=",
            "0".repeat(64),
            "0".repeat(128),
            "99999999999999999999",
            "t=",
            "id=",
            ",,");

    private static final Set<WebhookErrorCode> KEY_CODES =
            Set.of(WebhookErrorCode.BAD_SECRET, WebhookErrorCode.BAD_ALG);

    private final WebhookFixture fixture = new WebhookFixture();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void headerWhenRandomThenReadOrRefused(long seed) {
        Random random = new Random(seed);
        WebhookVerifier verifier = fixture.verifier().build();
        ProcessorSignature pair = ProcessorSignature.builder()
                .secret("whsec_correct horse battery")
                .clock(fixture.clock)
                .build();
        String valid = WebhookFixture.line(fixture.signer().build().sign(WebhookFixture.BODY));
        String validPair = pair.sign(WebhookFixture.BODY);

        for (int i = 0; i < 20_000; i++) {
            String header = i % 2 == 0 ? assembled(random) : mutated(i % 4 == 1 ? valid : validPair, random);
            refusedOrRead(Codes.REQUEST, () -> verifier.verify(WebhookFixture.BODY, WebhookFixture.header(header)));
            refusedOrRead(Codes.REQUEST, () -> pair.verify(header, WebhookFixture.BODY));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void publicKeyWhenRandomThenReadOrRefused(long seed) {
        Random random = new Random(seed);
        String pem = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65).publicKey();
        byte[] der = der(pem);

        for (int i = 0; i < 2_000; i++) {
            String file = i % 2 == 0
                    ? mutated(pem, random)
                    : TestKeys.pem("PUBLIC KEY", mutated(der, random, i % 4 == 1 ? 40 : der.length));
            refusedOrRead(KEY_CODES, () -> PqcKeys.of(null).verifyingKey(KeySource.ofText("The key", file)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void privateKeyWhenRandomThenReadOrRefused(long seed) {
        Random random = new Random(seed);
        TestKeys keys = TestKeys.mlDsa(MLDSAParameters.ml_dsa_65);
        byte[] der = der(keys.privateKey());

        for (int i = 0; i < 400; i++) {
            String file = i % 4 == 0
                    ? mutated(keys.privateKey(), random)
                    : TestKeys.pem("PRIVATE KEY", mutated(der, random, i % 4 == 1 ? 80 : der.length));
            refusedOrRead(
                    KEY_CODES,
                    () -> WebhookSigner.builder()
                            .algorithm("pqc-pem")
                            .keyPair("p1", file, keys.publicKey())
                            .build());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", ",", "=", "a=,", "a=b,", " ", "t=1,"})
    void headerWhenLongThenMemoryIsBoundedByItsLength(String piece) {
        String repeated = piece.repeat(8192 / piece.length());
        StringBuilder kids = new StringBuilder("t=1,id=a");
        for (int i = 0; kids.length() < 8180; i++) {
            kids.append(',').append(Integer.toString(i, 36)).append("=0");
        }
        for (String header : new String[] {repeated, kids.toString(), kids + ",!!"}) {
            allocated(header); // loads the classes

            assertThat(allocated(header)).isLessThan(256L * header.length() + 16_384);
        }
    }

    /** The bytes of what is nested deepest, in as many levels as fit. */
    static Stream<Arguments> keysOfTheGreatestLength() {
        byte[] nested = new byte[24_000];
        byte[] endless = new byte[24_000];
        byte[] sets = new byte[24_000];
        byte[] many = new byte[24_000];
        for (int i = 0; i < nested.length; i += 4) {
            int rest = nested.length - i - 4;
            System.arraycopy(new byte[] {0x30, (byte) 0x82, (byte) (rest >> 8), (byte) rest}, 0, nested, i, 4);
            System.arraycopy(new byte[] {0x30, (byte) 0x80, 0x30, (byte) 0x80}, 0, endless, i, 4);
            System.arraycopy(new byte[] {0x31, (byte) 0x80, 0x24, (byte) 0x80}, 0, sets, i, 4);
            System.arraycopy(new byte[] {0x05, 0x00, 0x05, 0x00}, 0, many, i, 4);
        }
        System.arraycopy(nested, 0, many, 0, 4);
        return Stream.of(
                Arguments.argumentSet("nested", TestKeys.pem("PUBLIC KEY", nested)),
                Arguments.argumentSet("nested without lengths", TestKeys.pem("PUBLIC KEY", endless)),
                Arguments.argumentSet("nested sets and strings", TestKeys.pem("PUBLIC KEY", sets)),
                Arguments.argumentSet("many elements", TestKeys.pem("PUBLIC KEY", many)),
                Arguments.argumentSet("no PEM", "-----BEGIN ".repeat(2_900)),
                Arguments.argumentSet("no base64", "-----BEGIN PUBLIC KEY-----" + "=".repeat(32_000)));
    }

    @ParameterizedTest
    @MethodSource("keysOfTheGreatestLength")
    void keyWhenLongThenMemoryIsBoundedByItsLength(String pem) {
        Runnable reading = () -> PqcKeys.of(null).verifyingKey(KeySource.ofText("The key", pem));
        allocated(KEY_CODES, reading); // loads the classes

        assertThat(allocated(KEY_CODES, reading)).isLessThan(64L * pem.length() + 16_384);
    }

    private static long allocated(String header) {
        return allocated(Codes.REQUEST, () -> SignatureHeader.parse(header, 8192))
                + allocated(Codes.REQUEST, () -> ProcessorHeader.parse(header));
    }

    private static long allocated(Set<WebhookErrorCode> codes, Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        refusedOrRead(codes, call);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static void refusedOrRead(Set<WebhookErrorCode> codes, Runnable call) {
        try {
            call.run();
        } catch (WebhookException e) {
            assertThat(codes).contains(e.errorCode());
        }
    }

    private static String assembled(Random random) {
        StringBuilder header = new StringBuilder();
        for (int tokens = random.nextInt(12); tokens >= 0; tokens--) {
            header.append(TOKENS.get(random.nextInt(TOKENS.size())));
        }
        return header.toString();
    }

    private static String mutated(String text, Random random) {
        byte[] bytes = mutated(text.getBytes(StandardCharsets.ISO_8859_1), random, text.length());
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Changes, removes or doubles a few bytes near the beginning. */
    private static byte[] mutated(byte[] bytes, Random random, int within) {
        byte[] result = bytes.clone();
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(Math.min(within, result.length));
            switch (random.nextInt(4)) {
                case 0 -> result[at] = (byte) random.nextInt(256);
                case 1 -> result[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> result = Arrays.copyOf(result, at + 1);
                default -> {
                    byte[] longer = Arrays.copyOf(result, result.length + 1);
                    System.arraycopy(result, at, longer, at + 1, result.length - at);
                    result = longer;
                }
            }
        }
        return result;
    }

    private static byte[] der(String pem) {
        return Base64.getMimeDecoder().decode(pem.replaceAll("-----.*-----", ""));
    }
}
