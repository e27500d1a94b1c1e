package io.credential.ratelimit;

import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.ratelimit.Quota.Period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class QuotaTests {

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Quota.MAX_LIMIT + 1})
    void limitWhenOutOfRangeThenIsRefused(int limit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Quota(limit, Period.DAY, ZoneOffset.UTC))
                .withMessage("The quota must be 1 to 1000000000 requests, but is " + limit);
    }

    @Test
    void zoneWhenItIsTheOffsetOfUtcThenHasItsName() {
        assertThat(new Quota(1, Period.DAY, ZoneOffset.UTC).zone().getId()).isEqualTo("UTC");
    }

    @Test
    void periodThenHasItsNameInProperties() {
        assertThat(Period.values()).extracting(Period::text).containsExactly("day", "month");
    }

    @Test
    void limiterWhenItCountsNoQuotasThenSaysSo() {
        RateLimiter windowsOnly = (bucket, limit) -> {
            throw new AssertionError("not asked");
        };

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> windowsOnly.tryAcquire("bucket", new Quota(1, Period.MONTH, ZoneOffset.UTC)))
                .withMessageEndingWith("does not count quotas; implement tryAcquire(String, Quota)");
    }
}
