package io.credential.apikey.internal;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.internal.RowProtection.Authenticity;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.ticket.StoredTicket;
import io.credential.apikey.internal.ticket.TicketText;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.SealException;

/**
 * Accepts each ticket once. The ticket is removed before its key is read, so that whatever happens then, it is never
 * accepted again. What has the wrong form costs no statement, and an unknown ticket costs one that reads, because anyone
 * can send them. Thread-safe.
 */
final class TicketRedeemer {

    static final String OPERATION = "apikey.redeem";

    private final ApiKeyRegistryOptions options;
    private final JdbcTicketStore tickets;
    private final JdbcApiKeyStore keys;
    private final RowProtection protection;
    private final KeyUses uses;
    private final AuditTrail audit;
    private final InstantSource clock;

    TicketRedeemer(
            ApiKeyRegistryOptions options,
            JdbcTicketStore tickets,
            JdbcApiKeyStore keys,
            RowProtection protection,
            KeyUses uses,
            AuditTrail audit,
            InstantSource clock) {
        this.options = options;
        this.tickets = tickets;
        this.keys = keys;
        this.protection = protection;
        this.uses = uses;
        this.audit = audit;
        this.clock = clock;
    }

    Optional<ApiKey> redeem(@Nullable String text) {
        Verdict verdict;
        try {
            verdict = Operations.orUnavailable(() -> judge(text));
        } catch (ApiKeyException e) {
            audit.rejection(OPERATION, "unavailable", null, Map.of());
            throw e;
        }
        if (verdict instanceof Rejected rejected) {
            audit.rejection(OPERATION, rejected.reason(), rejected.keyId(), Map.of());
            return Optional.empty();
        }
        return Optional.of(accept((Accepted) verdict));
    }

    private Verdict judge(@Nullable String text) {
        TicketText ticket = TicketText.parse(text).orElse(null);
        if (ticket == null) {
            return new Rejected("malformed", null);
        }
        if (!ticket.namespace().equals(options.namespace())) {
            return new Rejected("foreign-namespace", null);
        }
        StoredTicket stored = tickets.find(ticket).orElse(null);
        if (stored == null) {
            return new Rejected("unknown", null);
        }
        if (!tickets.isAuthentic(stored)) {
            return new Rejected("integrity", null);
        }
        if (stored.isExpiredAt(clock.millis())) {
            return new Rejected("expired", stored.keyId());
        }
        if (!tickets.remove(stored)) {
            return new Rejected("unknown", null); // another request was faster
        }
        return judgeKey(stored);
    }

    private Verdict judgeKey(StoredTicket ticket) {
        ApiKeyRow row = keys.find(ticket.keyId()).orElse(null);
        if (row == null) {
            return new Rejected("key-unknown", null);
        }
        Authenticity authenticity = protection.authenticity(row);
        if (authenticity == Authenticity.UNDECIDED) {
            throw RowAccess.keyMissing(row.id());
        }
        KeyContents contents = authenticity == Authenticity.AUTHENTIC ? open(row) : null;
        if (contents == null) {
            return new Rejected("integrity", row.id());
        }
        Instant now = clock.instant(); // removing the ticket may have waited
        String refusal = refusal(ticket, row, contents, now.toEpochMilli());
        return refusal == null ? new Accepted(row, contents, now) : new Rejected(refusal, row.id());
    }

    private @Nullable KeyContents open(ApiKeyRow row) {
        try {
            return protection.contents(row);
        } catch (SealException e) {
            return null;
        }
    }

    /** Returns why the key is rejected even with its token, or the ticket, because it is late; null if neither is. */
    private @Nullable String refusal(StoredTicket ticket, ApiKeyRow row, KeyContents contents, long now) {
        if (ticket.isExpiredAt(now)) {
            return "expired";
        }
        if (!contents.details().imported() && !row.hasPrefix(options.prefix())) {
            return "foreign-namespace"; // the registry rejects the token of this key too
        }
        if (row.isRevoked()) {
            return "revoked";
        }
        if (row.isDisabled()) {
            return "disabled";
        }
        return row.isExpiredAt(now) ? "key-expired" : null;
    }

    private ApiKey accept(Accepted accepted) {
        ApiKeyRow row = accepted.row();
        long now = accepted.now().toEpochMilli();
        Instant lastUsedAt = uses.used(row, now);
        tickets.afterCommit(audit.successReport(OPERATION, row.id(), Map.of("namespace", row.namespace())));
        return accepted.contents().key(row, lastUsedAt, false);
    }

    private sealed interface Verdict {}

    private record Accepted(ApiKeyRow row, KeyContents contents, Instant now) implements Verdict {}

    /** @param keyId the key, if there is one */
    private record Rejected(String reason, @Nullable String keyId) implements Verdict {}
}
