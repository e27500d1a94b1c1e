package io.credential.apikey.internal.search;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NamePrefixTests {

    private static final String KEY_SIGN = "\uD83D\uDD11";

    @Test
    void normalizedThenLowerCaseAndComposed() {
        assertThat(NamePrefix.normalized("\uFF23\uFF29 E\u0301t\u00C9")).isEqualTo("ci \u00E9t\u00E9");
    }

    /** A final sigma is another letter in lower case than one within a word. */
    @Test
    void normalizedThenBeginningsStayBeginnings() {
        assertThat(NamePrefix.normalized("\u039F\u0394\u039F\u03A3\u0391"))
                .startsWith(NamePrefix.normalized("\u039F\u0394\u039F\u03A3"));
        assertThat(NamePrefix.normalized("\u03BF\u03B4\u03BF\u03C2"))
                .isEqualTo(NamePrefix.normalized("\u039F\u0394\u039F\u03A3"));
    }

    @Test
    void indexedThenFromThreeToSixteenCodePoints() {
        assertThat(NamePrefix.indexed("ab")).isEmpty();
        assertThat(NamePrefix.indexed("Abcd")).containsExactly("abc", "abcd");
        assertThat(NamePrefix.indexed("0123456789abcdefgh")).hasSize(14).endsWith("0123456789abcdef");
    }

    @Test
    void indexedWhenSurrogatePairsThenNotDivided() {
        assertThat(NamePrefix.indexed(KEY_SIGN.repeat(4))).containsExactly(KEY_SIGN.repeat(3), KEY_SIGN.repeat(4));
    }
}
