package io.credential.spring.console.browser;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The console at any path of any server: the URLs in its pages are relative. */
@BrowserTest
class MountTests {

    private static final String URLS = """
            return [...document.querySelectorAll('a[href], link[href], script[src]')]
              .filter((element) => !element.getAttribute('href')?.match(/^(#|data:)/))
              .map((element) => element.href || element.src);
            """;

    private final Browser browser;
    private final Consoles.ByMount consoles;
    private final Map<String, Integer> statusByUrl = new HashMap<>();

    MountTests(Browser browser, Consoles.ByMount consoles) {
        this.browser = browser;
        this.consoles = consoles;
    }

    @ParameterizedTest
    @EnumSource
    void screensWhenMountedThenWork(Mount mount) {
        RunningConsole console = consoles.get(mount);
        browser.logIn(console, ConsoleUser.OPERATOR);

        assertScreensWork(console.application(), console);
    }

    @Test
    void screensWhenProxyStripsPrefixThenWork() throws Exception {
        RunningConsole console = consoles.get(Mount.ROOT);
        browser.logIn(console, ConsoleUser.OPERATOR); // its cookie is also sent to the port of the proxy

        try (StrippingProxy proxy = new StrippingProxy(console.server())) {
            assertScreensWork(proxy.url(), console);
        }
    }

    @ParameterizedTest
    @EnumSource
    void retryWhenMountedThenReturnsToTheDelivery(Mount mount) {
        RunningConsole console = consoles.get(mount);
        browser.logIn(console, ConsoleUser.OPERATOR);

        assertRetryReturns(console.url(), console);
    }

    @Test
    void retryWhenProxyStripsPrefixThenReturns() throws Exception {
        RunningConsole console = consoles.get(Mount.ROOT);
        browser.logIn(console, ConsoleUser.OPERATOR);

        try (StrippingProxy proxy = new StrippingProxy(console.server())) {
            assertRetryReturns(proxy.url() + "/credential/", console);
        }
    }

    @Test
    void consoleWhenSlashIsMissingThenRedirectsToIt() {
        RunningConsole console = consoles.get(Mount.CONTEXT_AND_SERVLET);
        browser.logIn(console, ConsoleUser.OPERATOR);

        browser.open(console.url().replaceAll("/$", ""));

        assertThat(browser.url()).isEqualTo(console.url());
    }

    private void assertScreensWork(String application, RunningConsole console) {
        String base = application + "/credential/";
        ConsoleClient client = new ConsoleClient(application);
        for (Screen screen : Screen.values()) {
            String url = screen.url(base, console.data());
            browser.open(url);
            assertThat(browser.text()).as(url).contains("Credential");
            assertThat(browser.run("return getComputedStyle(document.querySelector('.top')).display"))
                    .as("style of %s", url)
                    .isEqualTo("flex");
            assertThat(browser.find("#zone").getText()).as("script of %s", url).isEqualTo("Times are in UTC");
            assertThat(browser.complaints())
                    .as(url)
                    .filteredOn(complaint -> !isAboutStatus(complaint, screen))
                    .isEmpty();
            assertLinksLead(base, client, screen);
        }
    }

    /** The browser reports a page whose status is an error. */
    private static boolean isAboutStatus(String complaint, Screen screen) {
        return screen.status >= 400
                && complaint.contains(
                        "Failed to load resource: the server responded with a status of " + screen.status);
    }

    private void assertLinksLead(String base, ConsoleClient client, Screen screen) {
        List<?> urls = (List<?>) Objects.requireNonNull(browser.run(URLS));
        for (Object url : urls) {
            assertThat(url.toString()).as("a URL in %s", screen).startsWith(base);
            String path = url.toString().substring(base.length());
            assertThat(status(client, url.toString(), path))
                    .as("status of %s, linked by %s", path, screen)
                    .isEqualTo(200);
        }
        assertThat(browser.run("return [...document.forms].map((form) => form.action || location.href)"))
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .allMatch(action -> action.startsWith(base));
    }

    private int status(ConsoleClient client, String url, String path) {
        Integer known = statusByUrl.get(url);
        if (known != null) {
            return known;
        }
        int status = client.get(path, "Authorization", ConsoleUser.OPERATOR.basicCredentials())
                .statusCode();
        statusByUrl.put(url, status);
        return status;
    }

    private void assertRetryReturns(String base, RunningConsole console) {
        String delivery = console.data().send("erp", "invoice.paid");
        browser.open(base + "deliveries/" + delivery);

        browser.find("form[action$=retry] button").click();

        browser.awaitTrue("notice", () -> !browser.findAll(".notice").isEmpty());
        assertThat(browser.url()).isEqualTo(base + "deliveries/" + delivery);
        assertThat(console.data().attempts(delivery)).isEqualTo(2);
    }
}
