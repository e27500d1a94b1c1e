package io.credential.sample;

import java.net.http.HttpRequest;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.sample.Api.Answer;
import io.credential.sample.Browser.Page;

import static io.credential.sample.ProblemAssert.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

/** Who reaches the pages, and that they change nothing for clients with API keys. */
@SampleTest
class ConsoleLoginIT {

    private final Api api;
    private final Api admin;
    private final String password;
    private final Browser browser;

    ConsoleLoginIT(RunningSample running) {
        api = running.api;
        admin = running.admin;
        password = running.operatorPassword;
        browser = new Browser(running.sample.port());
    }

    @Test
    void consoleWhenLoggedInThenShown() {
        Page login = browser.get("/credential/deliveries");
        assertThat(login.path()).isEqualTo("/login");

        Page console = browser.logIn(password);

        assertThat(console.path()).as("the page that was asked for").isEqualTo("/credential/deliveries");
        assertThat(console.status()).isEqualTo(200);
    }

    @Test
    void consoleWhenPasswordIsWrongThenNotShown() {
        browser.logIn(password.replace(password.charAt(0), 'g'));

        assertThat(browser.get("/credential/deliveries").path()).isEqualTo("/login");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/credential/deliveries", "/demonstration"})
    void pageWhenApiKeyThenRedirectsToLogin(String path) {
        Answer answer = admin.get(path);

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).endsWith("/login");
    }

    @Test
    void apiWhenLoggedInThenStillNeedsKey() {
        browser.logIn(password);

        assertThat(browser.post("/keys", Map.of("ownerId", "anyone")).status()).isEqualTo(401);
        assertThat(browser.get("/keys").status()).isEqualTo(401);
    }

    @Test
    void demonstrationWhenWithoutCsrfTokenThen403() {
        browser.logIn(password);

        assertThat(browser.post("/demonstration", Map.of()).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*/*", "application/json"})
    void homeWhenNotForBrowserThenDoesNotExist(String accepted) {
        assertProblem(api.send(home(api, accepted)), 401, "api-key/unauthorized");
        assertProblem(admin.send(home(admin, accepted)), 404, "sample/not-found");
    }

    private static HttpRequest.Builder home(Api client, String accepted) {
        return client.request("/").header("Accept", accepted).GET();
    }
}
