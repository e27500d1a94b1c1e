package io.credential.spring.console.internal.key;

import java.util.List;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyUsage;
import io.credential.ratelimit.RateLimit;
import io.credential.spring.operations.internal.ExaminedKey;
import io.credential.storage.internal.JsonText;

/**
 * A key.
 *
 * @param usage by the day, the oldest first; empty if usage is not counted
 * @param leader where keys can be changed
 */
public record KeyDetail(ExaminedKey examined, List<ApiKeyUsage> usage, Leader.Place leader) {

    public KeyDetail {
        usage = List.copyOf(usage);
    }

    /** Returns the key. */
    public ApiKey key() {
        return examined.key();
    }

    /** Returns the metadata as JSON. */
    public String metadata() {
        return JsonText.write(key().metadata());
    }

    /** Returns the number of requests of the rate limit for its field; empty if the registry's limit applies. */
    public String limit() {
        RateLimit limit = key().rateLimit();
        return limit == null ? "" : String.valueOf(limit.limit());
    }

    /** Returns the window of the rate limit for its field, in seconds; empty if the registry's limit applies. */
    public String window() {
        RateLimit limit = key().rateLimit();
        return limit == null ? "" : String.valueOf(limit.windowSeconds());
    }
}
