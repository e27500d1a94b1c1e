package io.credential.spring.console.browser;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/** The console in a browser that runs no scripts. */
@BrowserTest
class WithoutScriptTests {

    private final Browser browser;
    private final RunningConsole console;

    WithoutScriptTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
        browser.disableScripts();
    }

    @Test
    void listWhenFilteredThenShowsMatches() {
        browser.open(console.url() + "deliveries");
        browser.find("input[name=endpoint]").sendKeys("shop-7" + Keys.ENTER);

        browser.awaitTrue("result", () -> browser.url().contains("endpoint=shop-7"));
        assertThat(browser.findAll("tbody tr"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.getText()).contains("shop-7", "delivered"));
        assertThat(browser.find("caption").getText()).isEqualTo("Deliveries to endpoint shop-7, the newest first");
    }

    @Test
    void retryWhenPressedThenIsMade() {
        String delivery = console.data().send("erp", "invoice.paid");
        browser.open(console.url() + "deliveries");
        browser.find("#d-" + delivery + " a").click();
        browser.awaitTrue("the delivery", () -> browser.url().endsWith(delivery));

        browser.find("form[action$=retry] button").click();

        browser.awaitTrue("notice", () -> !browser.findAll(".notice").isEmpty());
        assertThat(console.data().attempts(delivery)).isEqualTo(2);
    }

    @Test
    void helpThenIsNotOffered() {
        browser.open(console.url() + "deliveries");

        assertThat(browser.find("#open-help").isDisplayed()).isFalse();
    }

    @Test
    void actionWhenOpenedThenHasItsForm() {
        browser.open(console.url() + "probe/list");
        int issued = console.probe().issued();

        browser.find("details.act > summary").click();
        browser.find("details.act form button").click();

        browser.awaitTrue("secret", () -> browser.text().contains(ProbeSection.SECRET));
        assertThat(console.probe().issued()).isEqualTo(issued + 1);
    }
}
