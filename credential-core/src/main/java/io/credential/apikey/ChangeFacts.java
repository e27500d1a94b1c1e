package io.credential.apikey;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Says for the audit trail what an issue or an update changed. Scopes and expiry are named, in ISO-8601; of name and
 * metadata only that they changed.
 */
final class ChangeFacts {

    private static final String SCOPES_ADDED = "scopesAdded";
    private static final String EXPIRES_AT = "expiresAt";
    private static final String NEVER = "never";

    private ChangeFacts() {}

    static Map<String, Object> ofIssue(String namespace, IssueRequest request, @Nullable Instant expiresAt) {
        return Map.of(
                "namespace",
                namespace,
                SCOPES_ADDED,
                request.scopes(),
                EXPIRES_AT,
                text(expiresAt),
                "named",
                request.name() != null);
    }

    static Map<String, Object> ofUpdate(KeyContents before, KeyContents after, ApiKeyRow old, ApiKeyRow changed) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(SCOPES_ADDED, without(after.scopes(), before.scopes()));
        facts.put("scopesRemoved", without(before.scopes(), after.scopes()));
        if (!Objects.equals(old.state().expiresAt(), changed.state().expiresAt())) {
            facts.put("expiresAtBefore", text(KeyContents.instant(old.state().expiresAt())));
            facts.put(EXPIRES_AT, text(KeyContents.instant(changed.state().expiresAt())));
        }
        facts.put("nameChanged", !Objects.equals(before.name(), after.name()));
        facts.put("metadataChanged", !before.metadata().equals(after.metadata()));
        return facts;
    }

    private static List<String> without(Collection<String> scopes, Collection<String> others) {
        return scopes.stream().filter(scope -> !others.contains(scope)).toList();
    }

    private static String text(@Nullable Instant expiresAt) {
        return expiresAt == null ? NEVER : expiresAt.toString();
    }
}
