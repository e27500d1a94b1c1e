package io.credential.apikey.internal;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.storage.internal.JsonText;

/**
 * What is sealed in the column {@code details}. A node rejects keys with details that it does not know, since they may
 * restrict the key. Immutable.
 *
 * @param allowedNetworks the networks that may use the key; empty if all may
 * @param activeSince when the key was last enabled, imported or rotated in a registry that disables idle keys, in Unix
 *     milliseconds; null if it never was
 */
record KeyDetails(
        @Nullable String name,
        @Nullable String createdBy,
        @Nullable RateLimit rateLimit,
        @Nullable Quota quota,
        List<String> allowedNetworks,
        boolean imported,
        @Nullable Long activeSince) {

    static final KeyDetails NONE = new KeyDetails(null, null, null, null, List.of(), false, null);

    private static final String NAME = "name";
    private static final String CREATED_BY = "createdBy";
    private static final String RATE_LIMIT = "rateLimit";
    private static final String QUOTA = "quota";
    private static final String ALLOWED_NETWORKS = "allowedNetworks";
    private static final String IMPORTED = "imported";
    private static final String ACTIVE_SINCE = "activeSince";
    private static final Pattern RATE_LIMIT_FORM = Pattern.compile("(\\d{1,7})/(\\d{1,5})");
    private static final Pattern LIMIT_FORM = Pattern.compile("\\d{1,10}");
    private static final Pattern TIME_FORM = Pattern.compile("-?\\d{1,18}");

    static KeyDetails of(IssueRequest request, @Nullable String createdBy) {
        return of(request, createdBy, false);
    }

    static KeyDetails ofImported(IssueRequest request, @Nullable String createdBy) {
        return of(request, createdBy, true);
    }

    private static KeyDetails of(IssueRequest request, @Nullable String createdBy, boolean imported) {
        return new KeyDetails(
                request.name(),
                createdBy,
                request.rateLimit(),
                request.quota(),
                request.allowedNetworks(),
                imported,
                null);
    }

    KeyDetails with(ApiKeyChanges changes) {
        return new KeyDetails(
                changes.rename() == null ? name : changes.rename().to(),
                createdBy,
                changes.rateLimit() == null ? rateLimit : changes.rateLimit().to(),
                changes.quota() == null ? quota : changes.quota().to(),
                changes.allowedNetworks() == null ? allowedNetworks : changes.allowedNetworks(),
                imported,
                activeSince);
    }

    KeyDetails withActiveSince(long since) {
        return new KeyDetails(name, createdBy, rateLimit, quota, allowedNetworks, imported, since);
    }

    /** Returns the JSON object to seal; null if all details have their defaults. */
    @Nullable String json() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (name != null) {
            members.put(NAME, name);
        }
        if (createdBy != null) {
            members.put(CREATED_BY, createdBy);
        }
        if (rateLimit != null) {
            members.put(RATE_LIMIT, rateLimit.limit() + "/" + rateLimit.windowSeconds());
        }
        // Versions before these members read only texts, and so reject the keys that have them.
        if (quota != null) {
            members.put(
                    QUOTA,
                    List.of(
                            String.valueOf(quota.limit()),
                            quota.period().text(),
                            quota.zone().getId()));
        }
        if (!allowedNetworks.isEmpty()) {
            members.put(ALLOWED_NETWORKS, allowedNetworks);
        }
        if (imported) {
            members.put(IMPORTED, true);
        }
        if (activeSince != null) {
            members.put(ACTIVE_SINCE, activeSince.toString());
        }
        return members.isEmpty() ? null : JsonText.write(members);
    }

    /** @throws IllegalArgumentException if the text is not what {@link #json} returns in this version */
    static KeyDetails parse(String json) {
        Map<String, Object> members = new HashMap<>(JsonText.readObject(json));
        String rateLimit = text(members.remove(RATE_LIMIT));
        Object quota = members.remove(QUOTA);
        Object networks = members.remove(ALLOWED_NETWORKS);
        String activeSince = text(members.remove(ACTIVE_SINCE));
        KeyDetails details = new KeyDetails(
                text(members.remove(NAME)),
                text(members.remove(CREATED_BY)),
                rateLimit == null ? null : rateLimit(rateLimit),
                quota == null ? null : quota(texts(quota)),
                networks == null ? List.of() : texts(networks),
                flag(members.remove(IMPORTED)),
                activeSince == null ? null : time(activeSince));
        if (!members.isEmpty()) {
            throw new IllegalArgumentException("unknown members");
        }
        return details;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw new IllegalArgumentException("not a text");
    }

    private static List<String> texts(Object value) {
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new IllegalArgumentException("not a list of texts");
    }

    private static boolean flag(@Nullable Object value) {
        if (value == null || value instanceof Boolean) {
            return value != null && (Boolean) value;
        }
        throw new IllegalArgumentException("not a boolean");
    }

    private static long time(String text) {
        if (!TIME_FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a time");
        }
        return Long.parseLong(text);
    }

    private static RateLimit rateLimit(String text) {
        Matcher form = RATE_LIMIT_FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("not a rate limit");
        }
        return new RateLimit(Integer.parseInt(form.group(1)), Duration.ofSeconds(Integer.parseInt(form.group(2))));
    }

    private static Quota quota(List<String> parts) {
        if (parts.size() == 3 && LIMIT_FORM.matcher(parts.get(0)).matches()) {
            for (Quota.Period period : Quota.Period.values()) {
                if (period.text().equals(parts.get(1))) {
                    return new Quota(Integer.parseInt(parts.get(0)), period, zone(parts.get(2)));
                }
            }
        }
        throw new IllegalArgumentException("not a quota");
    }

    private static ZoneId zone(String id) {
        try {
            return ZoneId.of(id);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("unknown time zone " + id, e);
        }
    }

    /** Leaves out the values that are sealed at rest. */
    @Override
    public String toString() {
        return "KeyDetails[]";
    }
}
