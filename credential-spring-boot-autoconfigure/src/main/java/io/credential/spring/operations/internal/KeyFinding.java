package io.credential.spring.operations.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.credential.apikey.ApiKey;

/** Why an active key deserves attention. */
public enum KeyFinding {
    /** It has no expiry. */
    NEVER_EXPIRING("never-expiring"),
    /** It was not used for 90 days. */
    UNUSED("unused"),
    /** It expires within 30 days. */
    EXPIRING_SOON("expiring-soon");

    static final Duration IDLE = Duration.ofDays(90);
    static final Duration SOON = Duration.ofDays(30);

    private final String text;

    KeyFinding(String text) {
        this.text = text;
    }

    /** Returns the finding as text, for example {@code never-expiring}. */
    public String text() {
        return text;
    }

    static Optional<KeyFinding> ofText(String text) {
        return Arrays.stream(values())
                .filter(finding -> finding.text.equals(text))
                .findFirst();
    }

    /** @param lastUsesKnown whether the registry tracks them */
    static List<KeyFinding> of(ApiKey key, Instant now, boolean lastUsesKnown) {
        List<KeyFinding> findings = new ArrayList<>();
        Instant expiresAt = key.expiresAt();
        if (expiresAt == null) {
            findings.add(NEVER_EXPIRING);
        } else if (expiresAt.isBefore(now.plus(SOON))) {
            findings.add(EXPIRING_SOON);
        }
        Instant lastUsedAt = key.lastUsedAt();
        Instant idleSince = lastUsedAt == null ? key.createdAt() : lastUsedAt;
        if (lastUsesKnown && idleSince.isBefore(now.minus(IDLE))) {
            findings.add(UNUSED);
        }
        return findings;
    }
}
