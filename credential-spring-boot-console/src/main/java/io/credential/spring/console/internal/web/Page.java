package io.credential.spring.console.internal.web;

import java.util.List;

import org.jspecify.annotations.Nullable;

import gg.jte.Content;
import gg.jte.html.escape.Escape;

/**
 * What every page has around its content.
 *
 * @param title what it shows
 * @param section the path of the entry of the navigation that it belongs to
 * @param root a relative URL of the console, {@code ./} or some {@code ../}
 * @param navigation the links to all sections
 * @param operator who sees it
 * @param readOnly whether nothing can be changed
 * @param csrfParameter the name of the parameter with the CSRF token
 * @param notice what the action before has done; null if there was none
 * @param assets the names of script and style sheet
 */
public record Page(
        String title,
        String section,
        String root,
        List<NavigationEntry> navigation,
        Operator operator,
        boolean readOnly,
        String csrfParameter,
        @Nullable String notice,
        Assets assets) {

    /** Stands for the CSRF token, which differs in each response, until the page is compared with the one before. */
    static final String CSRF_TOKEN = "\u0001";

    /** Returns whether the operator may do this, so that a page offers it. */
    public boolean can(Access access) {
        return operator.can(access) && (!readOnly || access == Access.VIEW || access == Access.PAYLOADS);
    }

    /** Returns the field with the CSRF token, which each form that is posted has. */
    public Content csrfField() {
        return output -> {
            output.writeContent("<input type=\"hidden\" name=\"");
            Escape.htmlAttribute(csrfParameter, output);
            output.writeContent("\" value=\"" + CSRF_TOKEN + "\">");
        };
    }
}
