package io.credential.spring.console.browser;

import java.net.URLEncoder;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** How text of others is shown. {@link ScreenTests} checks on every screen that none of it does anything. */
@BrowserTest
class HostileTextTests {

    private final Browser browser;
    private final RunningConsole console;

    HostileTextTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @Test
    void responseWhenHostileThenIsShownAsText() {
        browser.open(Screen.DELIVERY_HOSTILE.url(console.url(), console.data()));
        browser.findAll(".timeline details > summary").forEach(summary -> summary.click());

        assertThat(browser.find("main").getText())
                .contains(
                        HostileText.SCRIPT,
                        HostileText.IMAGE,
                        HostileText.QUOTE,
                        HostileText.SCRIPT_URL,
                        HostileText.VISIBLE_BIDI,
                        HostileText.VISIBLE_CONTROL,
                        "</pre></main>",
                        "${7*7}");
        assertThat(browser.executions()).isZero();
        assertThat(browser.complaints()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key",
                "audience",
                "endpoint",
                "type",
                "status",
                "response",
                "reason",
                "from",
                "before",
                "event",
                "attempts",
                "cursor",
                "done",
                "n",
                "m",
                "unknown"
            })
    void parameterWhenHostileThenIsShownAsText(String parameter) {
        for (String text : List.of(HostileText.SCRIPT, "\"><img/src=x/onerror=hostile()>", HostileText.BIDI)) {
            browser.open(console.url() + "deliveries?" + parameter + "=" + URLEncoder.encode(text, UTF_8));

            assertThat(browser.find("h1").isDisplayed()).isTrue();
            assertThat(browser.executions()).isZero();
            assertThat(browser.findAll("img, main script")).isEmpty();
            assertThat(browser.run("return seen.violations")).isEqualTo(List.of());
        }
    }

    @Test
    void fieldWhenTextIsHostileThenKeepsIt() {
        String text = "\"><img/src=x/onerror=hostile()>";

        browser.open(console.url() + "deliveries?key=" + URLEncoder.encode(text, UTF_8));

        assertThat(browser.find("input[name=key]").getDomProperty("value")).isEqualTo(text);
        assertThat(browser.find("#list").getText()).contains("with idempotency key " + text);
    }

    @Test
    void pathWhenHostileThenShowsNoPage() {
        browser.open(console.url() + "deliveries/%22%3E%3Cimg%20src=x%20onerror=hostile()%3E");

        assertThat(browser.executions()).isZero();
        assertThat(browser.findAll("img")).isEmpty();
    }
}
