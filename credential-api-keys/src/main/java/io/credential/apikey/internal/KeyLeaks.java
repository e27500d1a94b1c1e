package io.credential.apikey.internal;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.SecretMatcher.Slot;
import io.credential.apikey.internal.foreign.ForeignToken;
import io.credential.apikey.internal.foreign.ForeignTokens;
import io.credential.apikey.internal.foreign.PresentedSecret;
import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakResponse;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;

/**
 * Finds and disables or revokes the keys of one registry whose secrets were found in public. Nothing here counts as a use of a
 * key, or as its verification. Thread-safe.
 */
final class KeyLeaks {

    static final String OPERATION = "apikey.leaked";

    private final Operations operations;
    private final RowAccess rows;
    private final ForeignTokens foreignTokens;
    private final SecretMatcher secrets;
    private final AuditTrail audit;
    private final InstantSource clock;

    KeyLeaks(
            Operations operations,
            RowAccess rows,
            ForeignTokens foreignTokens,
            SecretMatcher secrets,
            AuditTrail audit,
            InstantSource clock) {
        this.operations = operations;
        this.rows = rows;
        this.foreignTokens = foreignTokens;
        this.secrets = secrets;
        this.audit = audit;
        this.clock = clock;
    }

    /** A key whose primary or old secret was reported, whatever the state of the key. */
    record Match(KeyLeaks leaks, ApiKeyRow row, Slot slot, LeakReport report) {

        LeakedKey respond(LeakResponse response) {
            return leaks.respond(this, response);
        }
    }

    /**
     * Reads the key of a reported token, and compares the secret as a verification does.
     *
     * @param token in lower case, with the prefix and the namespace of this registry
     * @throws ApiKeyException {@code api-key/unavailable}
     */
    Optional<Match> match(ApiKeyToken token, LeakReport report) {
        if (!TokenForm.canBeIssued(token)) {
            return notFound(null);
        }
        return TokenForm.hashInput(token)
                .useAndClose(input -> compare(token.idHex(), PresentedSecret.issued(input), report));
    }

    /** Returns the token of an imported key of this registry; null if the text does not have the form of one. */
    @Nullable ForeignToken foreignToken(String text) {
        return foreignTokens.read(text);
    }

    /** Reads the key of a reported token of an imported key, like the method above. */
    Optional<Match> match(ForeignToken token, LeakReport report) {
        return token.use(foreignTokens.namespace(), (id, secret) -> compare(id, secret, report));
    }

    private Optional<Match> compare(String id, PresentedSecret secret, LeakReport report) {
        Optional<ApiKeyRow> found = rows.find(id);
        Slot slot = secrets.slot(found.orElseGet(secrets::decoy), secret, true);
        if (found.isEmpty()) {
            return notFound(null);
        }
        if (slot == Slot.NONE) {
            return notFound(id);
        }
        try {
            rows.requireAuthentic(found.get());
        } catch (ApiKeyException e) {
            if (e.errorCode() != ApiKeyErrorCode.UNREADABLE_ROW) {
                throw e;
            }
            operations.integrityFailure(OPERATION, id); // no verification accepts the key of such a row
            return Optional.empty();
        }
        return Optional.of(new Match(this, found.get(), slot, report));
    }

    /** Anybody can publish texts that look like tokens, so these reports are counted like rejected tokens. */
    private Optional<Match> notFound(@Nullable String id) {
        if (id == null) {
            audit.rejection(OPERATION, "unknown", null, Map.of());
        } else {
            audit.rejection(OPERATION, "bad-secret", id, Map.of());
        }
        return Optional.empty();
    }

    /**
     * @throws NotLeaderException on a node that is not the leader
     */
    void requireLeader() {
        operations.refuseUnlessLeader();
    }

    private LeakedKey respond(Match match, LeakResponse response) {
        return response == LeakResponse.REPORT
                ? operations.read(OPERATION, () -> result(match, match.row(), response, false))
                : operations.change(OPERATION, () -> change(match, response));
    }

    private Result<LeakedKey> change(Match match, LeakResponse response) {
        ApiKeyRow row = rows.findLocked(match.row().id())
                .filter(locked -> locked.secrets().equals(match.row().secrets()))
                .orElseThrow(() -> RowAccess.conflict(match.row().id()));
        rows.requireAuthentic(row);
        long now = clock.millis();
        boolean accepted = !row.isRevoked()
                && !row.isExpiredAt(now)
                && (match.slot() == Slot.PRIMARY || row.acceptsSecondaryAt(now));
        if (!accepted || (response == LeakResponse.DISABLE && row.isDisabled())) {
            return result(match, row, response, false);
        }
        ApiKeyRow changed = response == LeakResponse.REVOKE ? row.withRevokedAt(now) : row.withDisabledAt(now);
        rows.writeLocked(changed, row);
        return result(match, changed.withNextVersion(), response, true);
    }

    private Result<LeakedKey> result(Match match, ApiKeyRow row, LeakResponse response, boolean effective) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("response", response.text());
        facts.put("effective", effective);
        facts.put("oldSecret", match.slot() == Slot.SECONDARY);
        if (match.report().source() != null) {
            facts.put("source", match.report().source());
        }
        if (match.report().url() != null) {
            facts.put("url", match.report().url());
        }
        if (effective) {
            facts.put(AuditEvent.VERSION, row.state().version());
        }
        return new Result<>(new LeakedKey(rows.opened(row), row.state().version(), match.report()), row.id(), facts);
    }
}
