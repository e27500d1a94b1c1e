package io.credential.spring.security;

import java.time.Instant;
import java.time.InstantSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.BadCredentialsException;

import io.credential.audit.internal.AuditTrail;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;

class RejectedKeyLogTests {

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(RejectedKeyLog.class);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;
    private final RejectedKeyLog log = new RejectedKeyLog(clock);
    private final BadCredentialsException rejected = new BadCredentialsException("The API key was rejected");

    private static MockHttpServletRequest request(String path) {
        return new MockHttpServletRequest("GET", path);
    }

    @Test
    void recordWhenFirstThenLoggedWithIdAddressAndPath() {
        log.record(rejected, "0011223344556677", request("/orders"));

        assertThat(logged.lines())
                .singleElement()
                .isEqualTo("The API key was rejected: id=0011223344556677 address=127.0.0.1 request=GET /orders");
    }

    @Test
    void recordWhenManyThenTheOthersAreCounted() {
        refuse(1000);
        assertThat(logged.lines()).hasSize(1);

        now = now.plus(AuditTrail.REJECTION_INTERVAL);
        log.record(rejected, null, request("/orders"));

        assertThat(logged.lines())
                .hasSize(2)
                .last()
                .asString()
                .isEqualTo("API key rejected: 1000 more: reason=invalid ids=unknown");
    }

    @Test
    void logCountsWhenRefusalsWereCountedThenLoggedOnce() {
        refuse(3);

        log.logCounts();
        log.logCounts();

        assertThat(logged.lines()).hasSize(2).last().asString().contains("2 more");
    }

    private void refuse(int times) {
        for (int i = 0; i < times; i++) {
            log.record(rejected, null, request("/orders"));
        }
    }

    @Test
    void recordWhenReasonsDifferThenEachIsLogged() {
        log.record(rejected, null, request("/orders"));
        log.record(
                new RefusedCredentialsException(
                        RefusedCredentialsException.AMBIGUOUS, "The request contains another credential"),
                null,
                request("/orders"));

        assertThat(logged.lines()).hasSize(2).last().asString().contains("The request contains another credential");
    }

    @Test
    void recordWhenPathHoldsATokenThenItsSecretIsMasked() {
        log.record(rejected, null, request("/keys/bk_live_0011223344556677_00112233445566778899aabbccddeeff/rotate"));

        assertThat(logged.lines())
                .singleElement()
                .asString()
                .contains("/keys/bk_live_0011223344556677_***/rotate")
                .doesNotContain("8899aabb");
    }

    @Test
    void recordWhenPathHoldsControlsOrIsLongThenHarmless() {
        log.record(rejected, null, request("/a\nINFO forged\u001b[2J" + "x".repeat(9000)));

        assertThat(logged.lines())
                .singleElement()
                .asString()
                .contains("/a?INFO?forged?[2J")
                .hasSizeLessThan(1000);
    }
}
