package io.credential.apikey.internal;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.usage.UsageCounts;

/** Notes that the keys of a registry were used: when, and how often on each day. Thread-safe. */
final class KeyUses {

    private final boolean trackLastUsed;
    private final LastUses lastUses;
    private final @Nullable UsageCounts usage;

    /** @param usage null if usage is not counted */
    KeyUses(boolean trackLastUsed, LastUses lastUses, @Nullable UsageCounts usage) {
        this.trackLastUsed = trackLastUsed;
        this.lastUses = lastUses;
        this.usage = usage;
    }

    /** Notes a use, and returns when the key was last used; null for a key whose last use is unknown. */
    @Nullable Instant used(ApiKeyRow row, long now) {
        if (usage != null) {
            usage.requested(row.namespace(), row.id(), now);
        }
        if (!trackLastUsed) {
            return KeyContents.instant(lastUses.latest(row));
        }
        lastUses.used(row.namespace(), row.id(), now, row.lastUsedAt() == null);
        return Instant.ofEpochMilli(now);
    }
}
