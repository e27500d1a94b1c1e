package io.credential.spring.console.internal.overview;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import gg.jte.html.HtmlContent;

/**
 * The first page.
 *
 * @param failingSince since when the database does not answer; null if it does
 * @param parts in their order
 */
public record Overview(@Nullable Instant failingSince, List<HtmlContent> parts) {

    public Overview {
        parts = List.copyOf(parts);
    }
}
