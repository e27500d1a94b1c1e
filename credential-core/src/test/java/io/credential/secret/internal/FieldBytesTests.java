package io.credential.secret.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.SecretBytes;

import static org.assertj.core.api.Assertions.assertThat;

class FieldBytesTests {

    private static byte[] bytes(FieldBytes fields) {
        try (SecretBytes bytes = fields.toSecretBytes()) {
            return bytes.toByteArray();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x01_02, 0x01_02_03, 0x01_02_03_04})
    void textThenFollowsItsLengthInFourBigEndianBytes(int length) {
        String text = "a".repeat(length);

        assertThat(bytes(new FieldBytes(0).text(text)))
                .isEqualTo(ByteBuffer.allocate(4 + length)
                        .putInt(length)
                        .put(text.getBytes(StandardCharsets.UTF_8))
                        .array());
    }

    @Test
    void textWhenNotAsciiThenLengthIsThatOfTheUtf8() {
        assertThat(bytes(new FieldBytes(16).text("ü"))).containsExactly(0, 0, 0, 2, 0xc3, 0xbc);
    }

    @Test
    void toSecretBytesThenNothingStaysInTheBuffer() {
        FieldBytes fields = new FieldBytes(16).text("secret");

        assertThat(bytes(fields)).isNotEmpty();

        assertThat(fields.buffer()).containsOnly(0);
        assertThat(bytes(fields)).isEmpty();
    }

    @Test
    void textWhenBufferIsOutgrownThenItIsWiped() {
        FieldBytes fields = new FieldBytes(10).text("secret");
        byte[] outgrown = fields.buffer();

        fields.text("another");

        assertThat(fields.buffer()).isNotSameAs(outgrown);
        assertThat(outgrown).containsOnly(0);
    }

    @Test
    void optionalTextWhenNullThenDiffersFromTheEmptyText() {
        assertThat(bytes(new FieldBytes(1).optionalText(null).optionalText("").optionalText("a")))
                .containsExactly(0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 'a');
    }
}
