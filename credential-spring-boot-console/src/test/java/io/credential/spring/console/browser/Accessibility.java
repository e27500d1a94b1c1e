package io.credential.spring.console.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Checks a page with the rules of axe-core for WCAG 2.2, levels A and AA. */
final class Accessibility {

    private static final String AXE = axe();

    private static final String CHECK = """
            const done = arguments[0];
            axe.run(document, {
              runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
              resultTypes: ['violations'],
            }).then(
              (result) => done({
                rules: result.passes.length,
                violations: result.violations.flatMap((rule) =>
                  rule.nodes.map((node) => `${rule.id}: ${node.failureSummary} ${node.html}`)),
              }),
              (error) => done({rules: 0, violations: [String(error)]}));
            """;

    private Accessibility() {}

    /** Returns what the page that is shown violates. */
    static List<?> violations(Browser browser) {
        if (Objects.equals(browser.run("return typeof axe"), "undefined")) {
            browser.run(AXE);
        }
        Map<?, ?> result = (Map<?, ?>) Objects.requireNonNull(browser.runUntilDone(CHECK));
        if (Objects.equals(result.get("rules"), 0L)) {
            throw new AssertionError("axe-core has checked nothing: " + result);
        }
        return (List<?>) Objects.requireNonNull(result.get("violations"));
    }

    private static String axe() {
        try (InputStream script = Accessibility.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
