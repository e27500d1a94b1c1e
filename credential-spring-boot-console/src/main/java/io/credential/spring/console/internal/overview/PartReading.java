package io.credential.spring.console.internal.overview;

import org.jspecify.annotations.Nullable;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.web.OverviewPart;

/**
 * A part of the overview with what was read last.
 *
 * @param value null if nothing was read yet
 * @param readAt when, in terms of {@link System#nanoTime}
 */
record PartReading<T>(OverviewPart<T> part, @Nullable T value, long readAt) {

    static <T> PartReading<T> unread(OverviewPart<T> part) {
        return new PartReading<>(part, null, 0);
    }

    boolean isUnread() {
        return value == null;
    }

    /** Reads the value again. */
    PartReading<T> reread(long now) {
        return new PartReading<>(part, part.read(), now);
    }

    void render(HtmlTemplateOutput output) {
        if (value == null) {
            part.renderUnread(output);
        } else {
            part.render(output, value);
        }
    }
}
