package io.credential.spring.autoconfigure.actuate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyState;
import io.credential.spring.operations.internal.ExaminedKey;
import io.credential.spring.operations.internal.KeyFinding;

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

    static KeyView of(ExaminedKey examined) {
        ApiKey key = examined.key();
        return new KeyView(
                key.id(),
                examined.state().text(),
                examined.findings().stream().map(KeyFinding::text).toList(),
                key.createdAt(),
                key.expiresAt(),
                key.disabledAt(),
                key.revokedAt(),
                key.lastUsedAt(),
                key.secondaryExpiresAt());
    }
}
