package io.credential.spring.console.internal.web;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import gg.jte.html.HtmlTemplateOutput;

/** A response of the console. */
public sealed interface Reply {

    /** Writes what a page contains. */
    @FunctionalInterface
    interface Body {

        /** Writes what stands between the header and the end of a page. */
        void render(HtmlTemplateOutput output, Page page);
    }

    /**
     * A page.
     *
     * @param section the path of the entry of the navigation that it belongs to
     */
    record OfPage(HttpStatus status, String title, String section, Body body) implements Reply {}

    /**
     * A redirect, for example after an action.
     *
     * @param path below the path of the console, with a query if it needs one
     * @param notice what the page then says was done; null if it says nothing
     */
    record Redirect(String path, @Nullable String notice) implements Reply {}

    /** Returns a page. */
    static Reply page(String title, String section, Body body) {
        return new OfPage(HttpStatus.OK, title, section, body);
    }

    /** Returns a page with another status than 200. */
    static Reply page(HttpStatus status, String title, String section, Body body) {
        return new OfPage(status, title, section, body);
    }

    /** Returns a redirect to a page, which then says once what was done. */
    static Reply redirect(String path, String notice) {
        return new Redirect(path, notice);
    }
}
