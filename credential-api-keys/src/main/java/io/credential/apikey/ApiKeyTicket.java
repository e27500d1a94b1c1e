package io.credential.apikey;

import java.time.Duration;
import java.time.Instant;

/**
 * A ticket that stands for a key once, for a short time. Clients send it where they cannot set a header, such as in the
 * URL of a WebSocket. It cannot be used as a key.
 *
 * @param value the ticket, to be encoded in a URL as any other parameter; secret until it is redeemed or has expired
 * @param keyId the id of the key that it stands for, which is part of the ticket
 * @param expiresAt when it expires
 * @since 0.1.0
 */
public record ApiKeyTicket(String value, String keyId, Instant expiresAt) {

    /** The shortest lifetime of a ticket. */
    public static final Duration MIN_LIFETIME = Duration.ofSeconds(1);

    /** The longest lifetime of a ticket. */
    public static final Duration MAX_LIFETIME = Duration.ofMinutes(5);

    /** Leaves the ticket out. */
    @Override
    public String toString() {
        return "ApiKeyTicket[value=<redacted>, keyId=" + keyId + ", expiresAt=" + expiresAt + "]";
    }
}
