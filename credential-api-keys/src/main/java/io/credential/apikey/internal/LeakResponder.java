package io.credential.apikey.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.internal.KeyLeaks.Match;
import io.credential.apikey.internal.foreign.ForeignToken;
import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakResponse;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.audit.AuditCaller;
import io.credential.audit.AuditOrigin;
import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;

/** Responds to reports that texts were found in public, for all registries. Thread-safe. */
public final class LeakResponder {

    /** The actor of the audit events. */
    static final String ACTOR = "leak-report:github";

    private final CredentialDatabase database;
    private final Map<String, KeyLeaks> byTokenStart;
    private final AuditTrail unrouted;

    LeakResponder(CredentialDatabase database, Map<String, KeyLeaks> byTokenStart, AuditTrail unrouted) {
        this.database = database;
        this.byTokenStart = Collections.unmodifiableMap(new LinkedHashMap<>(byTokenStart));
        this.unrouted = unrouted;
    }

    /** Returns the caller of the audit events: the reporter, from where the request came. */
    static AuditCaller caller(AuditCaller request) {
        return new AuditCaller() {
            @Override
            public String get() {
                return ACTOR;
            }

            @Override
            public AuditOrigin origin() {
                return request.origin();
            }
        };
    }

    /**
     * Finds the keys whose primary or old secret was reported, and changes all of them or none. A key that no longer verifies
     * anyway stays as it is, so that a repeated report changes nothing.
     *
     * @return for each report, the key; empty if the text is not the token of a key
     * @throws NotLeaderException on a node that is not the leader, unless nothing is to be changed
     * @throws ApiKeyException {@code api-key/unavailable} or {@code api-key/rotation-conflict} if the reports must be repeated;
     *     {@code api-key/database-error}
     */
    public List<Optional<LeakedKey>> respond(List<LeakReport> reports, LeakResponse response) {
        if (response != LeakResponse.REPORT) {
            byTokenStart.values().stream().findFirst().ifPresent(KeyLeaks::requireLeader);
        }
        List<Optional<Match>> matches = new ArrayList<>();
        for (LeakReport report : reports) {
            matches.add(Operations.orUnavailable(() -> match(report)));
        }
        List<Match> found = matches.stream().flatMap(Optional::stream).toList();
        Map<Match, LeakedKey> leaked = found.isEmpty() || response == LeakResponse.REPORT
                ? respondToAll(found, response)
                : Operations.orUnavailable(() -> database.inTransaction(() -> respondToAll(found, response)));
        return matches.stream().map(match -> match.map(leaked::get)).toList();
    }

    /** Scanners may find a token in another case than it was issued in; whoever reads it can use it nevertheless. */
    private Optional<Match> match(LeakReport report) {
        Optional<KeyLeaks> registry = TokenForm.startOf(report.token()).map(byTokenStart::get);
        Optional<ApiKeyToken> token = ApiKeyToken.parse(report.token());
        if (registry.isEmpty() || token.isEmpty()) {
            return matchForeign(report);
        }
        ApiKeyToken given = token.get();
        return registry.get()
                .match(
                        new ApiKeyToken(
                                given.prefix(),
                                given.namespace(),
                                given.idHex().toLowerCase(Locale.ROOT),
                                given.secretHex().toLowerCase(Locale.ROOT)),
                        report);
    }

    private Optional<Match> matchForeign(LeakReport report) {
        for (KeyLeaks registry : byTokenStart.values()) {
            ForeignToken token = registry.foreignToken(report.token());
            if (token != null) {
                return registry.match(token, report);
            }
        }
        unrouted.rejection(KeyLeaks.OPERATION, "unknown", null, Map.of());
        return Optional.empty();
    }

    /** In the order of rows, so that two nodes never deadlock. */
    private static Map<Match, LeakedKey> respondToAll(List<Match> found, LeakResponse response) {
        Map<Match, LeakedKey> leaked = new HashMap<>();
        found.stream()
                .sorted(Comparator.comparing((Match match) -> match.row().namespace())
                        .thenComparing(match -> match.row().id()))
                .forEach(match -> leaked.put(match, match.respond(response)));
        return leaked;
    }
}
