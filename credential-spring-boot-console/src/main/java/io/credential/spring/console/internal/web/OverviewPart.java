package io.credential.spring.console.internal.web;

import gg.jte.html.HtmlTemplateOutput;

/**
 * A part of the overview. Parts are read in turn, one every five seconds at most, and shared by all who look.
 *
 * @param <T> what it shows
 */
public interface OverviewPart<T> {

    /** Returns where it stands; a smaller number comes first. */
    int order();

    /**
     * Reads what it shows, in at most two statements.
     *
     * @throws org.springframework.dao.DataAccessException if the database does not answer
     */
    T read();

    /** Writes what was read. */
    void render(HtmlTemplateOutput output, T value);

    /** Writes what is known without the database, if nothing could be read yet. Writes nothing by default. */
    default void renderUnread(HtmlTemplateOutput output) {}
}
