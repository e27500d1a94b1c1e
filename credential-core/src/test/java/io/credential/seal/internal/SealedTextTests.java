package io.credential.seal.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SealedTextTests {

    @ParameterizedTest
    @ValueSource(strings = {"a", "z", "0", "9", "-", "2026-11", "abcdefghijklmnopqrstuvwxyz012345"})
    void parseWhenWellFormedThenTakesTheFormApart(String keyId) {
        assertThat(SealedText.parse("s1." + keyId + ".body.rest")).isEqualTo(new SealedText("s1", keyId, "body.rest"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s1",
                "s1.",
                "s1.a",
                "s1..body",
                "s1-a.body",
                "s.a.body",
                "s1.A.body",
                "s1.`.body",
                "s1.{.body",
                "s1./.body",
                "s1.:.body",
                "s1.abcdefghijklmnopqrstuvwxyz0123456.body"
            })
    void parseWhenTheFormIsAnotherThenNull(String text) {
        assertThat(SealedText.parse(text)).isNull();
    }

    @Test
    void toStringThenLeavesTheBodyOut() {
        assertThat(new SealedText("s1", "k1", "body").toString())
                .contains("s1.k1.")
                .doesNotContain("body");
    }
}
