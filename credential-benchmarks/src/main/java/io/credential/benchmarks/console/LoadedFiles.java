package io.credential.benchmarks.console;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds what a browser requests in addition to a page. */
final class LoadedFiles {

    private static final Pattern OF_PAGE =
            Pattern.compile("<(?:link|script|img|iframe)\\b[^>]*\\b(?:href|src)=\"(?!data:)([^\"]+)\"");

    private static final Pattern OF_STYLE = Pattern.compile("@import|url\\((?![\"']?data:)");

    private LoadedFiles() {}

    /** Returns the URLs as the page has them. */
    static List<String> ofPage(String html) {
        return OF_PAGE.matcher(html)
                .results()
                .map((MatchResult match) -> match.group(1))
                .distinct()
                .toList();
    }

    /** Returns how many a style sheet loads. */
    static int ofStyle(String css) {
        return Math.toIntExact(OF_STYLE.matcher(css).results().count());
    }
}
