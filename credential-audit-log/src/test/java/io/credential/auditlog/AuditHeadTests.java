package io.credential.auditlog;

import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AuditHeadTests {

    private static final String DIGEST = "0123456789abcdef".repeat(4);

    @Test
    void parseWhenTextFormThenEqual() {
        AuditHead head = new AuditHead(
                List.of(new AuditHead.End(1, 999_999_999_999_999_999L, DIGEST), new AuditHead.End(3, 1, DIGEST)));

        assertThat(head).hasToString("audit1;1:999999999999999999:" + DIGEST + ";3:1:" + DIGEST);
        assertThat(AuditHead.parse(head.toString())).isEqualTo(head);
        assertThat(AuditHead.parse("audit1").ends()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "audit2",
                "audit1;",
                "audit1 ",
                "audit1;1:1:00",
                "audit1;0:1:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;1:0:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;1:-1:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;1:9999999999999999999:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;1:1:" + "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;2:1:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" + ";1:1:"
                        + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "audit1;1:1:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" + ";1:1:"
                        + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            })
    void parseWhenMalformedThenRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> AuditHead.parse(text));
    }

    @Test
    void parseWhenLongThenRejected() {
        String text = "audit1" + String.join("", Collections.nCopies(1000, ";1:1:" + DIGEST));

        assertThatIllegalArgumentException().isThrownBy(() -> AuditHead.parse(text));
    }
}
