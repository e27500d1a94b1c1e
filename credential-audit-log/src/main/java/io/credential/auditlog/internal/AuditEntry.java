package io.credential.auditlog.internal;

import java.time.Instant;
import java.util.Objects;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditText;
import io.credential.auditlog.AuditHead;
import io.credential.seal.internal.RowMac;
import io.credential.seal.internal.RowValues;
import io.credential.secret.internal.FieldBytes;
import io.credential.storage.internal.JsonText;

/**
 * One entry of a chain.
 *
 * @param recordedAt the time of the event in Unix milliseconds
 * @param version the version of the resource that a change has created; null for other events
 * @param attributes a JSON object
 */
record AuditEntry(
        long chain,
        long seq,
        long recordedAt,
        String name,
        String outcome,
        @Nullable String reason,
        @Nullable String actor,
        String resourceKind,
        @Nullable String resourceId,
        @Nullable Long version,
        @Nullable String clientAddress,
        @Nullable String userAgent,
        @Nullable String traceId,
        String attributes) {

    /** The digest before the first entry of a chain. */
    static final String START = "";

    private static final String FORMAT = "credential/audit-log/v1";
    private static final String TABLE = "_credential_audit_log";

    /** The maximum length of names that the application chooses. */
    static final int MAX_WORD = 128;

    /** The maximum length of texts other than the attributes. */
    static final int MAX_NAME = 256;

    /** Enough for a head of the log, or for the ids of a batch of purged keys. */
    static final int MAX_ATTRIBUTES = 32_768;

    static AuditEntry of(long chain, long seq, AuditEvent event) {
        return new AuditEntry(
                chain,
                seq,
                millis(event.time()),
                required(event.name()),
                event.outcome().text(),
                AuditText.bounded(event.reason(), MAX_WORD),
                AuditText.bounded(event.actor(), MAX_NAME),
                required(event.resourceKind()),
                AuditText.bounded(event.resourceId(), MAX_NAME),
                version(event),
                event.origin().clientAddress(),
                event.origin().userAgent(),
                event.origin().traceId(),
                json(event));
    }

    /** Returns the closest time that can be stored. */
    static long millis(Instant time) {
        try {
            return time.toEpochMilli();
        } catch (ArithmeticException e) {
            return time.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    private static @Nullable Long version(AuditEvent event) {
        return event.outcome() == AuditEvent.Outcome.SUCCESS
                        && event.resourceId() != null
                        && event.attributes().get(AuditEvent.VERSION) instanceof Long version
                ? version
                : null;
    }

    private static String required(String word) {
        return Objects.requireNonNull(AuditText.bounded(word, MAX_WORD));
    }

    private static String json(AuditEvent event) {
        try {
            String json = JsonText.write(new TreeMap<>(event.attributes()));
            return json.length() <= MAX_ATTRIBUTES
                    ? Objects.requireNonNull(AuditText.bounded(json, MAX_ATTRIBUTES))
                    : "{\"omittedCharacters\":" + json.length() + "}";
        } catch (RuntimeException | StackOverflowError e) { // a value of the application may throw, or contain itself
            return "{\"omitted\":\"not writable as JSON\"}";
        }
    }

    /**
     * Returns the digest of this entry, which depends on every value of it and of all entries before it.
     *
     * @param macHead the start of its MAC: otherwise an entry under another key could be made to look as if its key was
     *     removed from the keyring
     */
    String digest(String previous, String macHead) {
        return new FieldBytes(768)
                .text(FORMAT)
                .text(previous)
                .text(Long.toString(chain))
                .text(Long.toString(seq))
                .text(Long.toString(recordedAt))
                .text(name)
                .text(outcome)
                .optionalText(reason)
                .optionalText(actor)
                .text(resourceKind)
                .optionalText(resourceId)
                .optionalText(version == null ? null : version.toString())
                .optionalText(clientAddress)
                .optionalText(userAgent)
                .optionalText(traceId)
                .text(attributes)
                .text(macHead)
                .sha256();
    }

    Stored signed(String previous, RowMac macs) {
        String digest = digest(previous, macs.activeHead());
        return new Stored(this, digest, mac(digest, macs));
    }

    /** Returns the MAC of an entry at this place under the active key. */
    String mac(String digest, RowMac macs) {
        return macs.compute(authenticated(chain, seq, digest));
    }

    private static RowValues authenticated(long chain, long seq, String digest) {
        return new RowValues(TABLE).number("chain", chain).number("seq", seq).text("digest", digest);
    }

    /** The place of an entry in its chain, as it is stored. */
    record Link(long chain, long seq, String digest, String mac) {

        /**
         * Returns whether a holder of the keyring has written this digest at this place.
         *
         * @throws io.credential.seal.internal.UnknownSealKeyException if the keyring lacks the key
         */
        boolean isAuthentic(RowMac macs) {
            return macs.verify(authenticated(chain, seq, digest), mac);
        }

        AuditHead.End end() {
            return new AuditHead.End(chain, seq, digest);
        }
    }

    record Stored(AuditEntry entry, String digest, String mac) {

        /** Returns whether the digest is that of this entry after the previous one. Anybody can compute it. */
        boolean follows(String previous) {
            return digest.equals(entry.digest(previous, mac.substring(0, mac.lastIndexOf('.') + 1)));
        }

        Link link() {
            return new Link(entry.chain, entry.seq, digest, mac);
        }
    }
}
