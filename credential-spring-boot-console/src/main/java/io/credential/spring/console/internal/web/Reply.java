package io.credential.spring.console.internal.web;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerRequest;

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
    record Redirect(String path, @Nullable Notice notice) implements Reply {

        private String pathOnly() {
            return path.split("\\?", 2)[0];
        }

        /**
         * Returns the URL of the page below that of the console.
         *
         * @param console the path of the console in the application
         */
        String location(ServerRequest request, String console) {
            if (notice == null) {
                return path;
            }
            return path
                    + (path.contains("?") ? "&" : "?")
                    + notice.query(request.session(), console + "/" + pathOnly());
        }
    }

    /** Returns a page. */
    static Reply page(String title, String section, Body body) {
        return new OfPage(HttpStatus.OK, title, section, body);
    }

    /** Returns a page with another status than 200. */
    static Reply page(HttpStatus status, String title, String section, Body body) {
        return new OfPage(status, title, section, body);
    }

    /** Returns a redirect to a page, which then says what was done. */
    static Reply redirect(String path, Notice notice) {
        return new Redirect(path, notice);
    }
}
