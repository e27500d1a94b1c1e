package io.credential.ratelimit.internal;

import java.time.Instant;
import java.time.ZoneId;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.credential.ratelimit.Quota;

import static org.assertj.core.api.Assertions.assertThat;

class QuotaPeriodTests {

    @ParameterizedTest
    @CsvSource({
        // neither whole hours from UTC, nor the same date
        "Asia/Kathmandu, 2026-01-01T18:14:59.999Z, 2025-12-31T18:15:00Z, 2026-01-01T18:15:00Z",
        "Asia/Kathmandu, 2026-01-01T18:15:00Z, 2026-01-01T18:15:00Z, 2026-01-02T18:15:00Z",
        // 23 and 25 hours
        "Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
        "Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
        "Europe/Berlin, 2026-10-25T01:30:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
        // clocks were set forward at midnight, so that the day began at 1:00
        "America/Asuncion, 2023-10-01T12:00:00Z, 2023-10-01T04:00:00Z, 2023-10-02T03:00:00Z",
        // clocks were set back from 00:01 to 23:01: midnight came twice
        "America/St_Johns, 2010-11-07T02:00:00Z, 2010-11-06T02:30:00Z, 2010-11-07T02:30:00Z",
        "America/St_Johns, 2010-11-07T03:00:00Z, 2010-11-06T02:30:00Z, 2010-11-07T03:30:00Z",
        "America/St_Johns, 2010-11-07T04:00:00Z, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z",
        // a day was left out
        "Pacific/Apia, 2011-12-30T09:00:00Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
        "Pacific/Apia, 2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z"
    })
    void atWhenDayThenFromMidnightToMidnight(ZoneId zone, Instant time, Instant start, Instant end) {
        assertThat(QuotaPeriod.at(time, new Quota(1, Quota.Period.DAY, zone)))
                .extracting(QuotaPeriod::start, QuotaPeriod::end)
                .containsExactly(start, end);
    }

    @ParameterizedTest
    @CsvSource({
        "UTC, 2026-01-31T23:59:59.999Z, 2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z",
        "UTC, 2026-02-28T12:00:00Z, 2026-02-01T00:00:00Z, 2026-03-01T00:00:00Z",
        "UTC, 2028-02-29T12:00:00Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
        "UTC, 2026-12-31T12:00:00Z, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
        "Europe/Berlin, 2026-03-31T21:59:59Z, 2026-02-28T23:00:00Z, 2026-03-31T22:00:00Z",
        "Asia/Kathmandu, 2026-01-31T18:15:00Z, 2026-01-31T18:15:00Z, 2026-02-28T18:15:00Z"
    })
    void atWhenMonthThenFromFirstToFirst(ZoneId zone, Instant time, Instant start, Instant end) {
        assertThat(QuotaPeriod.at(time, new Quota(1, Quota.Period.MONTH, zone)))
                .extracting(QuotaPeriod::start, QuotaPeriod::end)
                .containsExactly(start, end);
    }
}
