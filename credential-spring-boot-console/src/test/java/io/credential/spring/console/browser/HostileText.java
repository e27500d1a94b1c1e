package io.credential.spring.console.browser;

import java.util.Map;

/** Texts that somebody stores to attack the operator who looks at them. Each would call {@code hostile()}. */
final class HostileText {

    static final String SCRIPT = "<script>hostile()</script>";
    static final String IMAGE = "\"><img src=x onerror=hostile()>";
    static final String QUOTE = "' onmouseover='hostile()' autofocus onfocus='hostile()";
    static final String SCRIPT_URL = "javascript:hostile()";

    /** Shows {@code gnp.exe} as {@code exe.png}. */
    static final String BIDI = "report\u202egnp.exe";

    /** What {@link #BIDI} must look like. */
    static final String VISIBLE_BIDI = "report\\u202egnp.exe";

    static final String CONTROL = "bell\u0007\u001b[31m";
    static final String VISIBLE_CONTROL = "bell\\u0007\\u001b[31m";

    /** Also ends what the page writes around it. */
    static final String ALL = String.join(
            "\n", SCRIPT, IMAGE, QUOTE, SCRIPT_URL, BIDI, CONTROL, "</pre></main><script>hostile()</script>", "${7*7}");

    /** For names, which have no control characters. */
    static final String NAME = SCRIPT + IMAGE + BIDI;

    private HostileText() {}

    static Map<String, String> headers() {
        return Map.of("X-Markup", SCRIPT + IMAGE, "X-Link", SCRIPT_URL, "X-Quote", QUOTE);
    }
}
