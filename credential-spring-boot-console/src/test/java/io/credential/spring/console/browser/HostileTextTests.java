package io.credential.spring.console.browser;

import java.net.URLEncoder;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

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

    /**
     * What the libraries accept of others, where a screen shows it. Ids, event types, audiences and networks have few
     * characters, and the values of headers of requests are masked.
     */
    static List<Arguments> storedFields() {
        String name = HostileText.SCRIPT + HostileText.IMAGE + HostileText.VISIBLE_BIDI;
        return List.of(
                Arguments.of(Screen.ENDPOINTS, "name", name),
                Arguments.of(Screen.ENDPOINT_HOSTILE, "name", name),
                Arguments.of(Screen.ENDPOINT_HOSTILE, "URL", "back=" + HostileText.SCRIPT_URL),
                Arguments.of(Screen.ENDPOINT_HOSTILE, "metadata", "{\"note\":\"" + HostileText.SCRIPT),
                Arguments.of(Screen.DELIVERY_HOSTILE, "redirect", "Redirects to " + HostileText.SCRIPT_URL),
                Arguments.of(Screen.EVENT_TYPES, "description", name),
                Arguments.of(Screen.EVENT_TYPE, "description", name),
                Arguments.of(Screen.KEY, "owner", name),
                Arguments.of(Screen.KEY, "metadata", "{\"" + HostileText.SCRIPT + "\":\"" + HostileText.SCRIPT),
                Arguments.of(Screen.KEY, "scope", "orders:read" + HostileText.SCRIPT));
    }

    @ParameterizedTest
    @MethodSource("storedFields")
    void fieldWhenStoredTextIsHostileThenIsShownAsText(Screen screen, String field, String text) {
        browser.open(screen.url(console.url(), console.data()));

        assertThat(browser.run("return document.querySelector('main').textContent"))
                .asString()
                .as(field)
                .contains(text);
        assertThat(browser.executions()).isZero();
        assertThat(browser.findAll("img, main script")).isEmpty();
    }

    @Test
    void auditWhenActorAndClientAreHostileThenShowsText() {
        ConsoleClient attacker = new ConsoleClient(console.application()).logIn(ConsoleUser.ATTACKER);
        String delivery = console.data().send("erp", "invoice.paid");
        attacker.post("deliveries/" + delivery + "/retry", attacker.token(), "User-Agent", HostileText.SCRIPT);

        browser.open(console.url() + "audit?event=webhook.delivery.retry&id=" + delivery);
        browser.refreshUntil(
                "stored", () -> !browser.findAll("td[data-label=Actor]").isEmpty());
        browser.findAll("details > summary").forEach(WebElement::click);

        String name = ConsoleUser.ATTACKER.username();
        assertThat(browser.find("td[data-label=Actor]").getText()).isEqualTo(name);
        assertThat(browser.find("td[data-label=Details]").getText()).contains(HostileText.SCRIPT);
        browser.open(console.url() + "audit?actor=" + URLEncoder.encode(name, UTF_8));
        assertThat(browser.find("caption").getText()).contains(name);
        assertThat(browser.executions()).isZero();
        assertThat(browser.findAll("img, main script")).isEmpty();
    }

    @Test
    void keyWhenItsCreatorIsHostileThenShowsText() {
        browser.logIn(console, ConsoleUser.ATTACKER);
        String name = ConsoleUser.ATTACKER.username();
        browser.open(console.url() + "keys/new");
        browser.find("input[name=owner]").sendKeys(name + Keys.ENTER);
        browser.awaitTrue("secret", () -> !browser.findAll(".secret").isEmpty());
        assertThat(browser.find(".who").getText()).contains(name);

        browser.open(browser.url());

        assertThat(browser.find("main .pairs").getText()).contains("by " + name);
        browser.open(console.url() + "keys");
        browser.find("input[name=owner]").sendKeys(name + Keys.ENTER);
        browser.awaitTrue("result", () -> browser.url().endsWith("search"));
        assertThat(browser.find("td[data-label=Owner]").getText()).isEqualTo(name);
        assertThat(browser.executions()).isZero();
        assertThat(browser.findAll("img, main script")).isEmpty();
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
