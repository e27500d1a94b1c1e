package io.credential.storage.internal;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogTextTests {

    @Test
    void ofWhenTextHasLineBreaksThenOneLine() {
        assertThat(LogText.of("a\nb\r\u001b[31m\u2028c\u202ed")).isEqualTo("a?b??[31m?c?d");
    }

    @Test
    void ofWhenTextIsLongThenCut() {
        assertThat(LogText.of("x".repeat(1000))).hasSize(300);
    }

    @Test
    void ofWhenTextIsOrdinaryThenUnchanged() {
        assertThat(LogText.of("node-1/0123 ä")).isEqualTo("node-1/0123 ä");
    }
}
