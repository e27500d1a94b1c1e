package io.credential.spring.console.internal.overview;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import gg.jte.html.HtmlContent;

import io.credential.spring.console.internal.web.Page;
import io.credential.spring.console.internal.web.Reply;

/**
 * The first page.
 *
 * @param failingSince since when the database does not answer; null if it does
 * @param parts in their order
 */
public record Overview(@Nullable Instant failingSince, List<Reply.Body> parts) {

    public Overview {
        parts = List.copyOf(parts);
    }

    /** Returns a part as content of a template. */
    public HtmlContent content(Reply.Body part, Page page) {
        return output -> part.render(output, page);
    }
}
