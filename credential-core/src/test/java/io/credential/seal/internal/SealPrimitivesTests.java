package io.credential.seal.internal;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.internal.Base64Url;
import io.credential.secret.internal.FieldBytes;

import static org.assertj.core.api.Assertions.assertThat;

class SealPrimitivesTests {

    /** RFC 5869, test case 3 (no salt, no info), of which the first 32 bytes. */
    @Test
    void deriveThenGivesTheValueOfRfc5869() {
        byte[] key = HexFormat.of().parseHex("0b".repeat(22));

        assertThat(KeyDerivation.derive(key, ""))
                .asHexString()
                .isEqualToIgnoringCase("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
    }

    /** NIST's example values for HMAC with SHA3-256: a key of 32 bytes, shorter than the block. */
    @Test
    void hmacSha3ThenGivesTheExampleValueOfNist() {
        HmacSha3 hmac = new HmacSha3(TestKeys.bytesFrom(0).toByteArray());
        byte[] message = "Sample message for keylen<blocklen".getBytes(StandardCharsets.US_ASCII);

        for (int use = 0; use < 3; use++) {
            assertThat(hmac.compute(new FieldBytes(0).append(message, 0, message.length)))
                    .asHexString()
                    .isEqualToIgnoringCase("4fe8e202c4f058e8dddc23d8c34e467343e23555e24fc2f025d598f558f67205");
        }
    }

    @Test
    void keysWhenTakenOverThenWiped() {
        byte[] key = TestKeys.bytesFrom(1).toByteArray();
        new HmacSha3(key);
        assertThat(key).containsOnly(0);

        byte[] other = TestKeys.bytesFrom(1).toByteArray();
        new CellCipher(other);
        assertThat(other).containsOnly(0);
    }

    @Test
    void base64UrlThenReadsWhatItWrites() {
        for (int length = 1; length < 50; length++) {
            byte[] bytes = new byte[length];
            bytes[length - 1] = (byte) 0xFF;

            assertThat(Base64Url.decode(Base64Url.encode(bytes))).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "A",
                "AAAAA",
                "AB",
                "AAB",
                "AA==",
                "AAA=",
                "AA=",
                "A A",
                "AAA+",
                "AAA/",
                "AA\n",
                "AAAé",
                "AAA\u0141"
            })
    void base64UrlWhenItWouldNotWriteTheTextThenNull(String text) {
        assertThat(Base64Url.decode(text)).isNull();
    }
}
