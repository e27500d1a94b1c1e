package io.credential.apikey;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/** Any text is a token that reads back as it was, or none; nothing is thrown. */
class ApiKeyTokenFuzzTests {

    @FuzzTest
    void tokens(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);

        ApiKeyToken.parse(text).ifPresent(token -> assertThat(token.text()).isEqualTo(text));
    }
}
