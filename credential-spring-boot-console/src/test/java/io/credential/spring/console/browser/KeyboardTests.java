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
    void helpWhenButtonIsPressedThenIsShown() {
        browser.open(console.url() + "deliveries");

        browser.pressTabUntilFocused("#open-help", 20);
        browser.press(Keys.ENTER);

        assertThat(browser.find("#help h2").getText()).isEqualTo("Keyboard shortcuts");
        assertThat(browser.findAll("#help input:checked")).hasSize(2);
        assertThat(Accessibility.violations(browser)).isEmpty();
        browser.press(Keys.ESCAPE);
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("open-help");
    }

    @Test
    void shortcutsWhenSwitchedOffThenDoNothing() {
        browser.open(console.url() + "deliveries");

        switchShortcuts();
        assertThat(browser.find("#help").isDisplayed()).isFalse();
        assertShortcutsAreOff();
        browser.open(console.url() + "deliveries");
        assertShortcutsAreOff();

        switchShortcuts();
        browser.press("j");
        assertThat(browser.run(FOCUSED_ROW)).isNotEqualTo("");
    }

    private void assertShortcutsAreOff() {
        for (String key : new String[] {"j", "/", "?"}) {
            browser.press(key);
            assertThat(browser.run("return document.activeElement.closest('tr, form') ?? ''"))
                    .as(key)
                    .isEqualTo("");
        }
        assertThat(browser.find("#help").isDisplayed()).isFalse();
    }

    /** Runs the script again where the storage is blocked, as browsers block it for some sites. */
    @Test
    void shortcutsWhenStorageIsBlockedThenCanBeSwitchedOff() {
        browser.open(console.url() + "deliveries");
        browser.runUntilDone("""
                Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError'); }});
                const script = document.createElement('script');
                script.src = document.scripts[0].src;
                script.onload = arguments[0];
                document.body.append(script);
                """);
        assertThat(browser.timers()).as("runs of the script").hasSize(2);

        browser.run("document.getElementById('help').showModal()"); // both scripts would, and the second one fail
        browser.find("#single-key-shortcuts").click();
        browser.press(Keys.ESCAPE);

        assertShortcutsAreOff();
        assertThat(browser.messages()).isEmpty();
    }

    private void switchShortcuts() {
        browser.find("#open-help").click();
        browser.find("#single-key-shortcuts").click();
        browser.press(Keys.ESCAPE);
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
