package io.credential.apikey.internal.ticket;

/**
 * One row of the table of tickets.
 *
 * @param hash of the whole ticket
 * @param expiresAt in Unix milliseconds
 */
public record StoredTicket(String hash, String namespace, String keyId, long expiresAt, String rowMac) {

    /** Returns whether the ticket has ended at a time in Unix milliseconds. */
    public boolean isExpiredAt(long now) {
        return expiresAt <= now;
    }

    /** Leaves out hash and MAC. */
    @Override
    public String toString() {
        return "StoredTicket[namespace=" + namespace + ", keyId=" + keyId + "]";
    }
}
