package io.credential.spring.autoconfigure.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyState;

/**
 * A key without the values that are sealed at rest.
 *
 * @param id its id, which is not secret
 * @param state the text of an {@link ApiKeyState}
 * @param findings why it deserves attention: {@code never-expiring}, {@code unused} or {@code expiring-soon}
 * @param secondaryExpiresAt when the secret before the last graceful rotation stops being accepted; null if there is none
 */
record KeyView(
        String id,
        String state,
        List<String> findings,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant disabledAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt,
        @Nullable Instant secondaryExpiresAt)
        implements OperationResponseBody {

    static final Duration UNUSED = Duration.ofDays(90);
    static final Duration SOON = Duration.ofDays(30);

    static final String NEVER_EXPIRING = "never-expiring";
    static final String NOT_USED = "unused";
    static final String EXPIRING_SOON = "expiring-soon";

    /** @param lastUsesKnown whether the registry tracks them */
    static KeyView of(ApiKey key, Instant now, boolean lastUsesKnown) {
        ApiKeyState state = ApiKeyState.of(key, now);
        return new KeyView(
                key.id(),
                state.text(),
                state == ApiKeyState.ACTIVE ? findings(key, now, lastUsesKnown) : List.of(),
                key.createdAt(),
                key.expiresAt(),
                key.disabledAt(),
                key.revokedAt(),
                key.lastUsedAt(),
                key.secondaryExpiresAt());
    }

    private static List<String> findings(ApiKey key, Instant now, boolean lastUsesKnown) {
        List<String> findings = new ArrayList<>();
        Instant expiresAt = key.expiresAt();
        if (expiresAt == null) {
            findings.add(NEVER_EXPIRING);
        } else if (expiresAt.isBefore(now.plus(SOON))) {
            findings.add(EXPIRING_SOON);
        }
        Instant lastUsedAt = key.lastUsedAt();
        Instant idleSince = lastUsedAt == null ? key.createdAt() : lastUsedAt;
        if (lastUsesKnown && idleSince.isBefore(now.minus(UNUSED))) {
            findings.add(NOT_USED);
        }
        return findings;
    }
}
