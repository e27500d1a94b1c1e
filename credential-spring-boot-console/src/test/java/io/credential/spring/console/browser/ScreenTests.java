package io.credential.spring.console.browser;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.spring.console.browser.Browser.Theme;

import static org.assertj.core.api.Assertions.assertThat;

/** What every screen keeps. */
@BrowserTest
class ScreenTests {

    private final Browser browser;
    private final RunningConsole console;

    ScreenTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
    }

    @ParameterizedTest
    @EnumSource
    void screenWhenInAnyThemeAndWidthThenIsAccessible(Screen screen) {
        open(screen);

        for (int width : List.of(Browser.DESKTOP, Browser.NARROW)) {
            for (Theme theme : Theme.values()) {
                browser.show(width, theme);
                assertThat(Accessibility.violations(browser))
                        .as("%s, %s pixels wide", theme, width)
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void screenWhenNarrowOrZoomedThenNeedNotBeScrolled(Screen screen) {
        open(screen);

        for (int width : List.of(Browser.NARROW, Browser.ZOOMED)) {
            browser.show(width, Theme.LIGHT);
            assertThat(browser.run("return document.documentElement.scrollWidth"))
                    .as("%s pixels wide", width)
                    .isEqualTo((long) width);
        }
    }

    @ParameterizedTest
    @EnumSource
    void screenWhenTextIsHostileThenShowsItAsText(Screen screen) {
        open(screen);

        assertThat(browser.executions()).isZero();
        assertThat(browser.findAll("img, iframe, object, embed, form[action*='script:']"))
                .isEmpty();
        assertThat(browser.run("return document.scripts.length")).isEqualTo(1L);
        assertThat(browser.run(
                        "return [...document.links].map(link => link.href).filter(url => !url.startsWith(arguments[0]))",
                        console.url()))
                .isEqualTo(List.of());
        // What a form changes is kept as it was stored.
        browser.run("document.querySelectorAll('textarea').forEach(field => field.remove())");
        assertThat(browser.run("return document.body.textContent"))
                .asString()
                .doesNotContain("\u202e", "\u0007", "\u001b");
    }

    private void open(Screen screen) {
        browser.logIn(console, ConsoleUser.OPERATOR);
        browser.open(screen.url(console.url(), console.data()));
    }
}
