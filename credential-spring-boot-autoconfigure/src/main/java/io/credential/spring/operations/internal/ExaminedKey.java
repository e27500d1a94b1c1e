package io.credential.spring.operations.internal;

import java.time.Instant;
import java.util.List;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyState;

/**
 * A key with what an operator wants to know about it.
 *
 * @param state its state when it was read
 * @param findings why it deserves attention; empty unless it is active
 */
public record ExaminedKey(ApiKey key, ApiKeyState state, List<KeyFinding> findings) {

    /** Copies the list. */
    public ExaminedKey {
        findings = List.copyOf(findings);
    }

    /** @param lastUsesKnown whether the registry tracks them */
    static ExaminedKey of(ApiKey key, Instant now, boolean lastUsesKnown) {
        ApiKeyState state = ApiKeyState.of(key, now);
        return new ExaminedKey(
                key, state, state == ApiKeyState.ACTIVE ? KeyFinding.of(key, now, lastUsesKnown) : List.of());
    }
}
