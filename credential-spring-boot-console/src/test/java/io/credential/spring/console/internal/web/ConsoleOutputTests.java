package io.credential.spring.console.internal.web;

import org.junit.jupiter.api.Test;

import gg.jte.output.StringOutput;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleOutputTests {

    private final StringOutput written = new StringOutput();
    private final ConsoleOutput output = new ConsoleOutput(written);

    @Test
    void textThenHasNoMarkup() {
        output.setContext("td", null);
        output.writeUserContent("<script>hostile()</script> & \u202e");

        assertThat(written).hasToString("&lt;script&gt;hostile()&lt;/script&gt; &amp; \\u202e");
    }

    @Test
    void attributeThenIsNotLeft() {
        output.setContext("td", "title");
        output.writeUserContent("\" onclick='hostile()' \u0007");

        assertThat(written).hasToString("&#34; onclick=&#39;hostile()&#39; \\u0007");
    }

    @Test
    void linkWhenItIsAScriptThenIsEmpty() {
        output.setContext("a", "href");
        output.writeUserContent("javascript:hostile()");

        assertThat(written).hasToString("");
    }

    @Test
    void fieldThenKeepsInvisibleCharacters() {
        output.setContext("input", "value");
        output.writeUserContent("a\u202eb");

        assertThat(written).hasToString("a\u202eb");
    }

    @Test
    void textAreaThenKeepsInvisibleCharacters() {
        output.setContext("textarea", null);
        output.writeUserContent("a\u200bb");

        assertThat(written).hasToString("a\u200bb");
    }

    @Test
    void nullThenWritesNothing() {
        output.setContext("td", null);
        output.writeUserContent((String) null);

        assertThat(written).hasToString("");
    }

    /** It would be replaced with the token of whoever looks at the page. */
    @Test
    void fieldWhenItHasThePlaceholderThenLosesIt() {
        output.setContext("input", "value");
        output.writeUserContent("a" + Page.CSRF_TOKEN);

        assertThat(written).hasToString("a\ufffd");
    }

    @Test
    void textWhenItHasThePlaceholderThenIsVisible() {
        output.setContext("td", null);
        output.writeUserContent("a" + Page.CSRF_TOKEN);

        assertThat(written).hasToString("a\\u0001");
    }
}
