package io.credential.webhook.delivery.internal.outbox;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.sun.management.ThreadMXBean;

import static org.assertj.core.api.Assertions.assertThat;

class CanonicalJsonTests {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":1,\"b\":[{\"c\":2,\"d\":3}]} | { \"b\" : [ {\"d\":3,\"c\":2} ], \"a\" : 1 }",
                "\"\u00e4/\" | \"\\u00e4\\/\"",
                "[1,10,100] | [1.0,1e1,1.00E+2]",
                "[0.15,-2,0,0] | [15e-2,-2.0,-0,0.0e9]",
                "[true,false,null,[],{}] | [ true, false, null, [ ], { } ]",
                "123456789012345678901234567890 | 123456789012345678901234567890.0"
            })
    void ofWhenJsonSaysTheSameThenEqual(String one, String other) {
        assertThat(of(one)).isEqualTo(of(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "9007199254740993 | 9007199254740992",
                "1 | \"1\"",
                "1 | -1",
                "10 | 1",
                "0.1 | 1",
                "[1,2] | [2,1]",
                "[12] | [1,2]",
                "{\"a\":null} | {}",
                "{\"a\":1} | {\"A\":1}",
                "\"a\" | \"a \"",
                "[[],[]] | [[[]]]"
            })
    void ofWhenJsonSaysSomethingElseThenDifferent(String one, String other) {
        assertThat(of(one)).isNotEqualTo(of(other));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1, \"a\":1}",
                "not json",
                "{} {}",
                "",
                "\uFEFF{ }",
                "[ NaN ]",
                "[ 1e1234567890123456789 ]",
                "[ \"\\ud800\" ]"
            })
    void ofWhenAmbiguousThenVerbatim(String text) {
        assertThat(of(text)).isEqualTo(text);
    }

    @Test
    void ofWhenDeepAndLongThenInOneForm() {
        String deep = "{\"b\":1,\"a\":".repeat(500) + "9".repeat(100_000) + "}".repeat(500);

        assertThat(of(deep)).startsWith("{\"a\":{\"a\":").endsWith(",\"b\":1E0}");
    }

    @Test
    void ofWhenDeepAndLongThenCopiedOnce() {
        byte[] deep = ("{\"b\":1,\"a\":".repeat(400) + "9".repeat(1_000_000) + "}".repeat(400))
                .getBytes(StandardCharsets.UTF_8);
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = thread.getCurrentThreadAllocatedBytes();

        CanonicalJson.of(deep);

        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(100 * 1_000_000L);
    }

    private static String of(String text) {
        return new String(CanonicalJson.of(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
    }
}
