package io.credential.spring.console.browser;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.credential.spring.console.internal.web.Access;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.Reply;

/**
 * Pages with everything that the script of the console handles, whose content a test changes: a list with boxes to select, an
 * action in a dialog, and a secret that is shown once. They are not in the navigation.
 */
final class ProbeSection implements ConsoleSection {

    static final String SECRET = "whsec_shown_only_once";

    private static final Pattern FORM = Pattern.compile("<form[^>]*>");

    private static final String LIST = "probe/list";
    private static final String SECRETS = "probe/secrets";

    private final AtomicInteger issued = new AtomicInteger();
    private volatile String cell = "first";

    @Override
    public List<NavigationEntry> navigation() {
        return List.of();
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page(LIST, request -> page(list()));
        routes.page(SECRETS, request -> page("<p id=\"offer\">Issue a secret</p>" + form("secrets/issue")));
        routes.action(SECRETS + "/issue", Access.OPERATE, request -> {
            issued.incrementAndGet();
            return page("<p class=\"secret\" data-secret=\"../secrets\">" + SECRET + "</p>");
        });
    }

    /** Changes what the list shows. */
    void show(String text) {
        cell = text;
    }

    /** Returns how many secrets were issued. */
    int issued() {
        return issued.get();
    }

    private String list() {
        return """
                <section id="probe" data-live>
                <table><caption>Rows</caption>
                <thead><tr><th><input type="checkbox" data-select-all hidden aria-label="All"></th><th>Text</th></tr></thead>
                <tbody>
                <tr id="r1"><td><input type="checkbox" form="posted" value="1" aria-label="1"></td><td><a href="#1">%1$s</a></td></tr>
                <tr id="r2"><td><input type="checkbox" form="posted" value="2" aria-label="2"></td><td><a href="#2">%1$s</a></td></tr>
                </tbody></table>
                <details id="more"><summary>More</summary><p id="inside">%1$s</p></details>
                </section>
                <details class="act" id="act"><summary>Act…</summary>%2$s</details>
                <form id="posted" method="post"></form>
                """.formatted(cell, form("secrets/issue"));
    }

    private static String form(String action) {
        return "<form method=\"post\" action=\"%s\"><button>Issue</button></form>".formatted(action);
    }

    /** Writes the field with the token where the first form begins. */
    private static Reply page(String html) {
        Matcher form = FORM.matcher(html);
        int split = form.find() ? form.end() : html.length();
        return Reply.page("Probe", "", (output, page) -> {
            output.writeContent(html.substring(0, split));
            page.csrfField().writeTo(output);
            output.writeContent(html.substring(split));
        });
    }
}
