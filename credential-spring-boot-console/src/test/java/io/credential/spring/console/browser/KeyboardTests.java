package io.credential.spring.console.browser;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/** The console without a mouse. */
@BrowserTest
class KeyboardTests {

    private static final String FOCUSED_ROW = "return document.activeElement.closest('tr')?.id ?? ''";

    private final Browser browser;
    private final RunningConsole console;

    KeyboardTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @Test
    void retryWhenOnlyKeysArePressedThenIsMade() {
        String delivery = console.data().send("erp", "invoice.paid");
        browser.open(console.url() + "deliveries");

        browser.press("j");
        browser.press("o");
        browser.awaitTrue("the delivery", () -> browser.url().endsWith(delivery));
        browser.pressTabUntilFocused("form[action$=retry] button", 20);
        browser.press(Keys.ENTER);

        browser.awaitTrue("notice", () -> !browser.findAll(".notice").isEmpty());
        assertThat(browser.find(".notice").getText()).contains("was attempted");
        assertThat(console.data().attempts(delivery)).isEqualTo(2);
    }

    @Test
    void rowsWhenKeysArePressedThenAreReached() {
        browser.open(console.url() + "deliveries");

        browser.press("j");
        Object first = browser.run(FOCUSED_ROW);
        browser.press("j");
        Object second = browser.run(FOCUSED_ROW);
        browser.press("k");

        assertThat(first).isNotEqualTo("").isNotEqualTo(second);
        assertThat(browser.run(FOCUSED_ROW)).isEqualTo(first);
    }

    @Test
    void filterWhenSlashIsPressedThenHasTheFocus() {
        browser.open(console.url() + "deliveries");

        browser.press("/");
        browser.press("j");

        assertThat(browser.run("return document.activeElement.name")).isEqualTo("endpoint");
        assertThat(browser.run("return document.activeElement.value")).isEqualTo("j");
    }

    @Test
    void helpWhenEscapeIsPressedThenIsClosed() {
        browser.open(console.url() + "deliveries");

        browser.press("?");
        assertThat(browser.find("#help").isDisplayed()).isTrue();
        browser.press(Keys.ESCAPE);

        assertThat(browser.find("#help").isDisplayed()).isFalse();
    }

    @Test
    void linkWhenFirstTabIsPressedThenSkipsToContent() {
        browser.open(console.url() + "deliveries");

        browser.press(Keys.TAB);
        browser.press(Keys.ENTER);

        assertThat(browser.run("return document.activeElement.id")).isEqualTo("main");
    }

    @Test
    void actionWhenDialogIsClosedThenGivesFocusBack() {
        browser.open(console.url() + "probe/list");
        browser.run("document.querySelector('details.act > summary').focus()");

        browser.press(Keys.ENTER);
        assertThat(browser.find("dialog form[method=post] button").isDisplayed())
                .isTrue();
        browser.press(Keys.ESCAPE);

        browser.awaitTrue(
                "no dialog", () -> browser.findAll("dialog form[method=post]").isEmpty());
        assertThat(browser.run("return document.activeElement.outerHTML")).isEqualTo("<summary>Act…</summary>");
    }
}
