package io.credential.spring.console.browser;

import org.openqa.selenium.Keys;

/**
 * An operator who has a question and only a keyboard. Counts what would be a click; moving the focus and typing are none. Fails
 * at the fifth.
 */
final class KeyboardOperator {

    private static final int MOST = 4;

    /** More than any page has links. */
    private static final int MOST_TABS = 500;

    private final Browser browser;
    private int activations;

    private KeyboardOperator(Browser browser) {
        this.browser = browser;
    }

    /** Returns an operator who looks at the overview, and opens no other URL. */
    static KeyboardOperator atOverview(Browser browser, RunningConsole console) {
        browser.logIn(console, ConsoleUser.OPERATOR);
        browser.open(console.url());
        return new KeyboardOperator(browser);
    }

    /** Presses Enter on a link or a button, and waits for the page that follows. */
    void follow(String selector) {
        browser.pressTabUntilFocused(selector, MOST_TABS);
        enter();
    }

    /** Goes to the filter, and types into one of its fields. */
    void fillIn(String field, String text) {
        browser.press("/");
        browser.pressTabUntilFocused("form[role=search] [name=" + field + "]", MOST_TABS);
        browser.press(text);
    }

    /** Presses Enter where the focus is, and waits for the page that follows. */
    void enter() {
        leaveBy(Keys.ENTER);
    }

    /** Opens the first row with the keys for rows, and waits for the page that follows. */
    void openFirstRow() {
        browser.press("j");
        leaveBy("o");
    }

    /** Returns how often something was activated. */
    int activations() {
        return activations;
    }

    private void leaveBy(CharSequence key) {
        browser.run("window.isBefore = true");
        activateBy(key);
        browser.awaitTrue(
                "the next page",
                () -> Boolean.TRUE.equals(
                        browser.run("return !window.isBefore && document.readyState === 'complete'")));
    }

    /** Presses Enter on what opens a part of the page. */
    void expand(String selector) {
        browser.pressTabUntilFocused(selector, MOST_TABS);
        activateBy(Keys.ENTER);
    }

    private void activateBy(CharSequence key) {
        activations++;
        if (activations > MOST) {
            throw new AssertionError("The answer takes more than " + MOST + " activations");
        }
        browser.press(key);
    }
}
