package io.credential.apikey;

import java.io.Serializable;
import java.time.LocalDate;

/**
 * How often a key was used on one day, on all nodes.
 *
 * @param day a day in UTC
 * @param requests how many requests had the key with a valid secret, including those that were then rejected
 * @param rejectedByRate how many of them were rejected because the key had reached its rate limit
 * @param rejectedByScope how many of them were rejected because the key lacks a scope
 * @param rejectedByNetwork how many of them were rejected because they came from a network that may not use the key
 * @param rejectedByQuota how many of them were rejected because the key had reached its quota
 * @since 0.1.0
 */
public record ApiKeyUsage(
        LocalDate day,
        long requests,
        long rejectedByRate,
        long rejectedByScope,
        long rejectedByNetwork,
        long rejectedByQuota)
        implements Serializable {

    /** The number of days that are kept, including today. */
    public static final int DAYS_KEPT = 35;
}
