package io.credential.spring.console.browser;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The responses of the console behind the security chain of an application, by whoever sends what. */
@ExtendWith(Consoles.class)
class ConsoleHttpTests {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final RunningConsole console;

    ConsoleHttpTests(RunningConsole console) {
        this.console = console;
    }

    @ParameterizedTest
    @EnumSource
    void pageThenHasItsFactAndTheHeaders(Screen screen) {
        String path = screen.url("", console.data());

        HttpResponse<String> response = client(ConsoleUser.OPERATOR).get(path);

        assertThat(response.statusCode()).isEqualTo(screen.status);
        assertThat(response.body()).contains(screen.fact(console.data()));
        assertHeaders(response);
        assertThat(values(response, "Content-Type")).containsExactly("text/html;charset=UTF-8");
    }

    @Test
    void redirectThenHasTheHeaders() {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response = client.post("deliveries/" + delivery + "/retry", client.token());

        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(values(response, "Location")).containsExactly("../../deliveries/" + delivery);
        assertHeaders(response);
    }

    @Test
    void pageWhenUnchangedThenHasTheHeadersOnly() {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String tag = client.get("deliveries").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> response = client.get("deliveries", "If-None-Match", tag);

        assertThat(response.statusCode()).isEqualTo(304);
        assertThat(response.body()).isEmpty();
        assertHeaders(response);
    }

    @Test
    void pageWhenChangedThenIsSentAgain() {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String tag = client.get("deliveries").headers().firstValue("ETag").orElseThrow();
        console.data().send("shop-7", "order.created");

        assertThat(client.get("deliveries", "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"css", "js"})
    void assetThenIsKeptByItsName(String extension) {
        ConsoleClient client = client(ConsoleUser.VIEWER);
        String page = client.get("deliveries").body();
        String name = page.replaceAll("(?s).*assets/(console-[0-9a-f]+\\." + extension + ").*", "$1");

        HttpResponse<String> response = client.get("assets/" + name);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(values(response, "Cache-Control")).containsExactly("private, max-age=31536000, immutable");
        assertThat(values(response, "X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(values(response, "Content-Security-Policy")).containsExactly(POLICY);
        assertThat(client.get("assets/console." + extension).statusCode()).isEqualTo(404);
    }

    /** The numbers of milliseconds of a database end before those years. */
    @Test
    void filterWhenTimeIsTooFarThenIsRejected() {
        HttpResponse<String> response =
                client(ConsoleUser.OPERATOR).get("deliveries?from=%2B1000000000-12-31T23:59:59Z");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("must be a time in UTC");
    }

    /** The query of the next page would contain the token. */
    @Test
    void filterWhenItIsThePlaceholderThenHasNoToken() {
        String page =
                client(ConsoleUser.OPERATOR).get("deliveries?type=%01&key=%01").body();

        assertThat(page).doesNotContainPattern("value=\"[A-Za-z0-9_-]{40,}");
    }

    @Test
    void requestWhenNotLoggedInThenLeadsToTheLogin() {
        HttpResponse<String> response = new ConsoleClient(console.application()).get("deliveries");

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location"))
                .hasValueSatisfying(url -> assertThat(url).endsWith("/login"));
    }

    @Test
    void pageWhenUserIsAStrangerThenIsForbidden() {
        HttpResponse<String> response = client(ConsoleUser.STRANGER).get("deliveries");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("CREDENTIAL_VIEW").doesNotContain("erp");
        assertHeaders(response);
    }

    @ParameterizedTest
    @EnumSource
    void pageWhenUserIsAViewerThenHasNoAction(Screen screen) {
        String page =
                client(ConsoleUser.VIEWER).get(screen.url("", console.data())).body();

        assertThat(page).contains("<h1>").doesNotContainPattern("method=\"post\" action=\"(?![^\"]*keys/search\")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wrong"})
    void actionWhenTokenIsInvalidThenDoesNothing(String token) {
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response = client(ConsoleUser.OPERATOR).post("deliveries/" + delivery + "/retry", token);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    @Test
    void actionWhenTokenIsOlderThanLoginThenDoesNothing() {
        ConsoleClient client = new ConsoleClient(console.application());
        String token = client.loginToken();
        client.logIn(ConsoleUser.OPERATOR);
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response = client.post("deliveries/" + delivery + "/retry", token);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    /** Reloading the page with the secret sends its form again. */
    @Test
    void secretWhenFormIsOfAnEndedSessionThenNotIssued() {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String token = client.token();
        String[] form = {"form", "A".repeat(22), "registry", "live", "owner", "ended-session"};
        assertThat(client.postForm("keys/new", token, form).body()).contains("data-secret");

        client.logOut().logIn(ConsoleUser.OPERATOR);

        assertThat(client.postForm("keys/new", token, form).statusCode()).isEqualTo(403);
        assertThat(client.postForm("keys/search", client.token(), "registry", "live", "owner", "ended-session")
                        .body())
                .containsOnlyOnce("<tr id=\"k-");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void actionWhenSentByAnotherSiteThenDoesNothing(String site) {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response =
                client.post("deliveries/" + delivery + "/retry", client.token(), "Sec-Fetch-Site", site);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("another site");
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    /** Looking at a payload is audited in the name of the operator. */
    @Test
    void payloadWhenLinkedByAnotherSiteThenIsForbidden() {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String delivery = "deliveries/" + console.data().send("erp", "invoice.paid");

        assertThat(client.get(delivery + "/payload", "Sec-Fetch-Site", "cross-site")
                        .statusCode())
                .isEqualTo(403);
        assertThat(client.get(delivery + "/payload", "Sec-Fetch-Site", "same-origin")
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get(delivery, "Sec-Fetch-Site", "cross-site").statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"same-origin", "none"})
    void actionWhenSentByTheConsoleThenIsMade(String site) {
        ConsoleClient client = client(ConsoleUser.OPERATOR);
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response =
                client.post("deliveries/" + delivery + "/retry", client.token(), "Sec-Fetch-Site", site);

        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(console.data().attempts(delivery)).isEqualTo(2);
    }

    @Test
    void pageWhenCallerHasAnApiKeyThenIsForbidden() {
        HttpResponse<String> response = new ConsoleClient(console.application())
                .get("deliveries", "Authorization", "ApiKey " + console.data().apiKey());

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("does not accept API keys").doesNotContain("erp");
    }

    @Test
    void actionWhenCallerHasAnApiKeyThenDoesNothing() {
        String delivery = console.data().send("erp", "invoice.paid");

        HttpResponse<String> response = new ConsoleClient(console.application())
                .post(
                        "deliveries/" + delivery + "/retry",
                        "",
                        "Authorization",
                        "ApiKey " + console.data().apiKey());

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(console.data().attempts(delivery)).isEqualTo(1);
    }

    @Test
    void sessionWhenApiKeyIsSentTooThenIsForbidden() {
        HttpResponse<String> response = client(ConsoleUser.OPERATOR)
                .get("deliveries", "Authorization", "ApiKey " + console.data().apiKey());

        assertThat(response.statusCode()).isEqualTo(403);
    }

    @Test
    void urlWhenPayloadsAreNotPermittedThenHasNoPath() {
        String path = Screen.DELIVERY_DEAD.url("", console.data());

        assertThat(client(ConsoleUser.OPERATOR).get(path).body())
                .contains(console.receiver().url("/fails"));
        assertThat(client(ConsoleUser.VIEWER).get(path).body())
                .contains("127.0.0.1")
                .doesNotContain(console.receiver().url("/fails"));
    }

    private ConsoleClient client(ConsoleUser user) {
        return new ConsoleClient(console.application()).logIn(user);
    }

    private static void assertHeaders(HttpResponse<?> response) {
        assertThat(values(response, "Content-Security-Policy")).containsExactly(POLICY);
        assertThat(values(response, "Cache-Control")).containsExactly("no-store");
        assertThat(values(response, "Referrer-Policy")).containsExactly("no-referrer");
        assertThat(values(response, "Cross-Origin-Opener-Policy")).containsExactly("same-origin");
        assertThat(values(response, "X-Content-Type-Options")).containsExactly("nosniff");
    }

    private static List<String> values(HttpResponse<?> response, String header) {
        return response.headers().allValues(header);
    }
}
