package io.credential.audit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AuditOriginTests {

    @Test
    void originWhenValuesAreHostileThenBounded() {
        AuditOrigin origin =
                new AuditOrigin("1".repeat(100), "a\0b\r\nc\ud800d\ud83d\ude00" + "x".repeat(1000), "t\u0085");

        assertThat(origin.clientAddress()).hasSize(64);
        assertThat(origin.userAgent()).hasSize(256).startsWith("a\ufffdb\ufffd\ufffdc\ufffdd\ud83d\ude00x");
        assertThat(origin.traceId()).isEqualTo("t\ufffd");
    }

    @Test
    void originWhenCutInTheMiddleOfAPairThenReplaced() {
        AuditOrigin origin = new AuditOrigin(null, "x".repeat(255) + "\ud83d\ude00", null);

        assertThat(origin.userAgent()).isEqualTo("x".repeat(255) + "\ufffd");
    }
}
