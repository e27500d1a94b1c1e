package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;

import io.credential.apikey.ApiKeyToken;

import static org.assertj.core.api.Assertions.assertThat;

/** Any text is a token that reads back as it was, or none; nothing is thrown. */
class ApiKeyTokenFuzzTests {

    @FuzzTest
    void tokens(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);

        ApiKeyToken.parse(text)
                .ifPresent(token -> assertThat(TokenForm.text(token)).isEqualTo(text));
    }
}
