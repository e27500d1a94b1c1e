package io.credential.ratelimit.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;

import io.credential.ratelimit.Quota;
import io.credential.ratelimit.QuotaDecision;

/**
 * One calendar period of a quota. Each period has its own bucket, which is larger than what is left of the period, so that it
 * never refills.
 *
 * @param start included
 * @param end excluded
 */
record QuotaPeriod(Quota quota, Instant start, Instant end) {

    /** Returns the period that contains a time. */
    static QuotaPeriod at(Instant time, Quota quota) {
        LocalDate date = LocalDate.ofInstant(time, quota.zone());
        boolean ofDay = quota.period() == Quota.Period.DAY;
        LocalDate first = ofDay ? date : date.withDayOfMonth(1);
        ZonedDateTime next = (ofDay ? first.plusDays(1) : first.plusMonths(1)).atStartOfDay(quota.zone());
        // Where clocks are set back over midnight, it comes twice.
        Instant end = next.toInstant().isAfter(time)
                ? next.toInstant()
                : next.withLaterOffsetAtOverlap().toInstant();
        return new QuotaPeriod(quota, first.atStartOfDay(quota.zone()).toInstant(), end);
    }

    Duration length() {
        return Duration.between(start, end);
    }

    Buckets.Key key(String bucket) {
        Buckets.requireName(bucket);
        return new Buckets.Key(
                bucket + "/quota/" + start.getEpochSecond(), new Buckets.Bounds(quota.limit(), length()));
    }

    QuotaDecision decision(Buckets.Outcome outcome, Instant now) {
        return new QuotaDecision(outcome.allowed(), quota, outcome.remaining(), length(), Duration.between(now, end));
    }
}
