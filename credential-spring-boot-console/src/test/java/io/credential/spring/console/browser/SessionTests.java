package io.credential.spring.console.browser;

import java.util.Objects;
import java.util.concurrent.FutureTask;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;
import io.credential.testing.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions that end, several operators at once, and what the back button shows. */
@BrowserTest
class SessionTests {

    private final Browser browser;
    private final RunningConsole console;

    SessionTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @Test
    void pageWhenSessionHasEndedThenAsksForTheLogin() {
        String page = console.url() + "deliveries?status=dead&endpoint=erp";
        browser.open(page);
        console.sessions().endAll();
        browser.logOut();

        browser.startRefresh();
        browser.awaitTrue("login", () -> browser.url().contains("/login"));
        browser.fillLogin(ConsoleUser.OPERATOR);

        browser.awaitTrue("the page before", () -> browser.url().startsWith(page));
        assertThat(Objects.requireNonNull(browser.find("input[name=endpoint]").getDomProperty("value")))
                .isEqualTo("erp");
    }

    /** An attacker has set the cookie, for example by another application of the host. */
    @Test
    void sessionWhenSetBeforeLoginThenIsReplaced() {
        ConsoleClient attacker = new ConsoleClient(console.application());
        attacker.loginToken();
        String[] planted = attacker.cookies().split("=", 2);
        browser.logOut();
        browser.open(console.application() + "/login");
        browser.setCookie(planted[0], planted[1]);
        browser.open(console.application() + "/login");

        browser.fillLogin(ConsoleUser.OPERATOR);
        browser.awaitTrue("login", () -> !browser.url().contains("/login"));

        assertThat(browser.cookies())
                .filteredOn(cookie -> cookie.getName().equals(planted[0]))
                .singleElement()
                .satisfies(cookie -> assertThat(cookie.getValue()).isNotEqualTo(planted[1]));
        browser.open(console.url() + "deliveries");
        assertThat(browser.find("h1").getText()).isEqualTo("Deliveries");
        assertThat(attacker.get("deliveries").statusCode()).isEqualTo(302);
    }

    @Test
    void backWhenLoggedOutThenShowsTheLogin() {
        browser.logOut(); // also so that the next test logs in, whatever happens
        browser.open(console.application() + "/login");
        browser.fillLogin(ConsoleUser.OPERATOR);
        browser.awaitTrue("login", () -> !browser.url().contains("/login"));
        browser.open(console.url() + "deliveries?endpoint=erp");
        assertThat(browser.text()).contains("invoice.paid");
        browser.open(console.application() + "/logout");
        browser.find("button").click();
        browser.awaitTrue("logout", () -> browser.url().contains("/login?logout"));

        browser.run("history.go(-2)");

        browser.awaitTrue("login", () -> browser.url().endsWith("/login"));
        assertThat(browser.text()).doesNotContain("erp", "invoice.paid");
    }

    @Test
    void retryWhenAnotherOperatorRetriesThenIsTold() {
        console.data().register("slow", "/is-slow", "Slow");
        console.receiver().release();
        String delivery = console.data().send("slow", "invoice.paid");
        browser.open(console.url() + "deliveries/" + delivery);
        ConsoleClient other = new ConsoleClient(console.application()).logIn(ConsoleUser.OPERATOR);
        console.receiver().hold();

        try (TestThreads threads = new TestThreads()) {
            FutureTask<Integer> first =
                    new FutureTask<>(() -> other.post("deliveries/" + delivery + "/retry", other.token())
                            .statusCode());
            threads.execute(first);
            console.receiver().awaitArrival();
            browser.find("form[action$=retry] button").click();
            browser.awaitTrue("problem", () -> !browser.findAll(".problem").isEmpty());
            String told = browser.text();
            console.receiver().release();

            assertThat(told).contains("webhook-dispatcher/in-flight");
            assertThat(Patience.join(first)).isEqualTo(303);
            assertThat(console.data().attempts(delivery)).isEqualTo(2);
        }
    }

    @Test
    void secretWhenGoingBackThenIsNotShownAgain() {
        browser.open(console.url() + "probe/secrets");
        browser.find("form[method=post] button").click();
        browser.awaitTrue("secret", () -> browser.text().contains(ProbeSection.SECRET));
        int issued = console.probe().issued();

        browser.open(console.url() + "deliveries");
        browser.goBack();
        browser.awaitTrue("the page before", () -> browser.url().endsWith("probe/secrets"));
        browser.awaitTrue("offer", () -> browser.find("#offer").isDisplayed());

        assertThat(browser.run("return document.documentElement.outerHTML"))
                .asString()
                .doesNotContain(ProbeSection.SECRET);
        assertThat(console.probe().issued()).isEqualTo(issued);
    }

    @Test
    void secretWhenReloadedThenIsNotIssuedAgain() {
        browser.open(console.url() + "probe/secrets");
        browser.find("form[method=post] button").click();
        browser.awaitTrue("secret", () -> browser.text().contains(ProbeSection.SECRET));
        int issued = console.probe().issued();

        browser.run("location.reload()");
        browser.awaitTrue("offer", () -> !browser.findAll("#offer").isEmpty());

        assertThat(browser.text()).doesNotContain(ProbeSection.SECRET);
        assertThat(console.probe().issued()).isEqualTo(issued);
    }
}
