package io.credential.spring.console.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.NoSuchElementException;

import com.sun.net.httpserver.HttpServer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A page of another site, at which an operator looks while the session in the console is open. */
@BrowserTest
class ForgeryTests {

    private final Browser browser;
    private final RunningConsole console;
    private HttpServer attacker;
    private volatile String page = "";

    ForgeryTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
    }

    @BeforeEach
    void startAttacker() throws IOException {
        attacker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        attacker.createContext("/", exchange -> {
            byte[] bytes = page.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        attacker.start();
        browser.logOut(); // a browser sends a new cookie even with a form of another site
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @AfterEach
    void stopAttacker() {
        attacker.stop(0);
    }

    @Test
    void formWhenItHasNoTokenThenDoesNothing() {
        String delivery = console.data().send("erp", "invoice.paid");

        sendForm(delivery, "");

        assertThat(console.requests().lines()).contains("POST /credential/deliveries/" + delivery + "/retry 403");
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    @Test
    void formWhenItHasTheTokenThenDoesNothing() {
        String delivery = console.data().send("erp", "invoice.paid");
        browser.open(console.url() + "deliveries/" + delivery);
        String token = browser.find("input[name=_csrf]").getDomAttribute("value");

        sendForm(delivery, "<input name='_csrf' value='" + token + "'>");

        assertThat(browser.text()).contains("The request comes from another site.");
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    @Test
    void consoleWhenFramedThenIsNotShown() {
        page = "<iframe src='" + console.url() + "deliveries'></iframe>";
        console.requests().clear();
        browser.open("http://localhost:" + attacker.getAddress().getPort() + "/"); // to which cookies are sent as well

        browser.enterFrame();

        assertThat(console.requests().lines()).contains("GET /credential/deliveries 200");
        assertThatThrownBy(() -> browser.find(".brand, table")).isInstanceOf(NoSuchElementException.class);
    }

    private void sendForm(String delivery, String fields) {
        page = "<form method='post' action='%sdeliveries/%s/retry'>%s<button>Win a prize</button></form>"
                .formatted(console.url(), delivery, fields);
        browser.open(attackerUrl());
        console.requests().clear();
        browser.find("button").click();
        browser.awaitTrue("the response", () -> browser.url().startsWith(console.server()));
        browser.awaitTrue("the request", () -> !console.requests().lines().isEmpty());
    }

    /** To a browser, this is another site than localhost. */
    private String attackerUrl() {
        return "http://127.0.0.1:" + attacker.getAddress().getPort() + "/";
    }
}
