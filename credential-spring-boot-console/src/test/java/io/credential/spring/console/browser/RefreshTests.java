package io.credential.spring.console.browser;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/** What the script does while nobody touches the page. */
@BrowserTest
class RefreshTests {

    private static final String REFRESHED = "GET /credential/probe/list 200";
    private static final String UNCHANGED = "GET /credential/probe/list 304";

    private final Browser browser;
    private final RunningConsole console;

    RefreshTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @BeforeEach
    void openList() {
        console.probe().show("first");
        browser.open(console.url() + "probe/list");
        console.requests().clear();
    }

    @Test
    void timerThenRefreshesEveryFiveSeconds() {
        assertThat(browser.timers()).isEqualTo(List.of(5000L));
    }

    @Test
    void refreshWhenContentChangedThenShowsIt() {
        console.probe().show("second");

        browser.refresh();

        assertThat(browser.find("#r1").getText()).isEqualTo("second");
        assertThat(console.requests().lines()).containsExactly(REFRESHED);
    }

    @Test
    void refreshWhenContentIsTheSameThenGetsNoBody() {
        browser.refresh();
        browser.refresh();
        browser.refresh();

        assertThat(console.requests().lines()).containsExactly(REFRESHED, UNCHANGED, UNCHANGED);
    }

    @Test
    void refreshThenKeepsFocusTicksAndOpenParts() {
        browser.find("input[value='2']").click();
        browser.find("#more summary").click();
        browser.run("document.querySelector('#r1 a').focus()");
        console.probe().show("second");

        browser.refresh();

        assertThat(browser.find("#inside").getText()).isEqualTo("second");
        assertThat(browser.find("input[value='2']").isSelected()).isTrue();
        assertThat(browser.find("input[value='1']").isSelected()).isFalse();
        assertThat(browser.run("return document.activeElement.getAttribute('href')"))
                .isEqualTo("#1");
    }

    @Test
    void refreshWhenRowHasFocusThenKeepsIt() {
        browser.press("j");
        console.probe().show("second");

        browser.refresh();

        assertThat(browser.run("return document.activeElement.id")).isEqualTo("r1");
        browser.press("j");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("r2");
    }

    @Test
    void refreshWhenBoxHasFocusThenKeepsIt() {
        browser.find("input[value='2']").click();
        console.probe().show("second");

        browser.refresh();

        assertThat(browser.run("return document.activeElement.value")).isEqualTo("2");
        assertThat(browser.find("#r2").getText()).isEqualTo("second");
    }

    @Test
    void refreshWhenDialogIsOpenThenWaits() {
        browser.find("details.act > summary").click();
        browser.refresh();
        assertThat(console.requests().lines()).isEmpty();

        browser.press(Keys.ESCAPE);
        browser.refresh();
        assertThat(console.requests().lines()).containsExactly(REFRESHED);
    }

    @Test
    void refreshWhenTabIsHiddenThenWaits() {
        // A browser without a window hides no tab.
        browser.run("Object.defineProperty(document, 'hidden', {value: true, configurable: true})");
        browser.refresh();
        assertThat(console.requests().lines()).isEmpty();

        browser.run("Object.defineProperty(document, 'hidden', {value: false})");
        browser.refresh();
        assertThat(console.requests().lines()).containsExactly(REFRESHED);
    }

    @Test
    void refreshWhenSwitchedOffThenRequestsNothing() {
        switchRefresh();
        browser.refresh();
        assertThat(console.requests().lines()).isEmpty();

        browser.open(console.url() + "probe/list");
        console.requests().clear();
        browser.refresh();
        assertThat(console.requests().lines()).isEmpty();

        switchRefresh();
        browser.refresh();
        assertThat(console.requests().lines()).containsExactly(REFRESHED);
    }

    private void switchRefresh() {
        browser.find("#open-help").click();
        browser.find("#refresh").click();
        browser.press(Keys.ESCAPE);
    }

    @Test
    void boxOfHeadWhenSelectedThenSelectsEveryRow() {
        browser.find("input[data-select-all]").click();

        assertThat(browser.findAll("tbody input:checked")).hasSize(2);
    }
}
