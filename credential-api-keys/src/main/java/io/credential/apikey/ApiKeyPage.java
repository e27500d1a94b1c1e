package io.credential.apikey;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One page of a listing.
 *
 * @param keys newest first; a page can be shorter than its limit even if more follow
 * @param nextCursor the argument of {@link ListOptions#after(String)} or {@link KeySearch#after(String)} for the
 *     next page; null on the last page
 * @since 0.1.0
 */
public record ApiKeyPage(List<ApiKey> keys, @Nullable String nextCursor) {

    public ApiKeyPage {
        keys = List.copyOf(keys);
    }
}
