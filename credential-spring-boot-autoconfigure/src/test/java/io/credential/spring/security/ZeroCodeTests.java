package io.credential.spring.security;

import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.authentication.event.AuthenticationFailureBadCredentialsEvent;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.web.context.WebApplicationContext;

import jakarta.servlet.ServletContext;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** An application that configures a registry and writes no security code: Boot's own chain, with form and Basic. */
@ExtendWith(OutputCaptureExtension.class)
class ZeroCodeTests {

    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("user:password".getBytes(StandardCharsets.UTF_8));

    private static HostApplication application;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class, "logging.level.org.springframework.security=trace", "logging.level.io.credential=trace");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void issue() {
        application.registries().get("live").failWith(null);
        application.registries().issue("live", "orders:read");
    }

    @Test
    void keyWhenInItsHeaderThenAuthenticates() {
        HttpResponse<String> response = application.get("/whoami", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("0011223344556677 of owner-1");
    }

    @Test
    void keyWhenSchemeIsInAnyCaseThenAuthenticates() {
        assertThat(application
                        .get("/name", "Authorization", "ApiKey " + token("live"))
                        .body())
                .isEqualTo("owner-1");
        assertThat(application
                        .get("/name", "Authorization", "APIKEY " + token("live"))
                        .body())
                .isEqualTo("owner-1");
    }

    @Test
    void authoritiesThenAreTheScopesAndTheFactor() {
        assertThat(application.get("/authorities", "X-API-Key", token("live")).body())
                .isEqualTo("[\"FACTOR_API_KEY\",\"SCOPE_orders:read\"]");
    }

    static Stream<Arguments> refusedKeys() {
        return Stream.of(
                arguments("malformed", "not-a-key"),
                arguments("empty", ""),
                arguments("of no registry", token("other")),
                arguments("unknown", token("live").replace("bk_live_00", "bk_live_ff")),
                arguments("too long", "x".repeat(600)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedKeys")
    void keyWhenRefusedThenTheSameAnswer(String what, String key) {
        HttpResponse<String> response = application.get("/whoami", "X-API-Key", key);

        assertRefused(response);
    }

    @Test
    void keyWhenRevokedThenTheSameAnswer() {
        application.registries().get("live").forget();

        assertRefused(application.get("/whoami", "X-API-Key", token("live")));
    }

    static Stream<Arguments> ambiguousCredentials() {
        String key = token("live");
        return Stream.of(
                arguments("the header twice", new String[] {"X-API-Key", key, "X-API-Key", key}),
                arguments("both headers", new String[] {"X-API-Key", key, "Authorization", "ApiKey " + key}),
                arguments(
                        "Authorization twice",
                        new String[] {"Authorization", "ApiKey " + key, "Authorization", "ApiKey " + key}),
                arguments("a Bearer token beside", new String[] {"X-API-Key", key, "Authorization", "Bearer abc"}),
                arguments(
                        "two schemes", new String[] {"Authorization", "ApiKey " + key, "Authorization", "Bearer abc"}),
                arguments("Basic beside", new String[] {"X-API-Key", key, "Authorization", BASIC}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ambiguousCredentials")
    void requestWhenTwoCredentialsThenRefusedUnverified(String what, String[] headers) {
        int before = application.registries().verifications();

        assertRefused(application.get("/whoami", headers));
        assertThat(application.registries().verifications()).isEqualTo(before);
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().allValues("WWW-Authenticate")).containsExactly("ApiKey realm=\"api\"");
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .isEqualTo("{\"title\":\"Unauthorized\",\"status\":401,"
                        + "\"detail\":\"This request needs one valid API key, in the header X-API-Key\","
                        + "\"code\":\"api-key/unauthorized\"}");
        assertNoSession(response.headers());
    }

    @Test
    void requestWhenScopeIsMissingThen403NamesIt() {
        HttpResponse<String> response = application.post("/orders", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body())
                .isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
                        + "\"detail\":\"This API key lacks the scope orders:write\","
                        + "\"code\":\"api-key/insufficient-scope\",\"missingScopes\":[\"orders:write\"]}");
        assertNoSession(response.headers());
    }

    @Test
    void keyWhenItHasAllScopesThenNoCsrfTokenAndNoSession() {
        application.registries().issue("live", "orders:read", "orders:write");

        HttpResponse<String> response = application.post("/orders", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertNoSession(response.headers());
        assertThat(application.get("/session", "X-API-Key", token("live")).body())
                .isEqualTo("no session");
    }

    private static void assertNoSession(HttpHeaders headers) {
        assertThat(headers.allValues("Set-Cookie")).isEmpty();
    }

    @Test
    void requestWhenRegistryIsUnavailableThen503() {
        application.registries().get("live").failWith(new ApiKeyException(ApiKeyErrorCode.UNAVAILABLE, "No database"));

        HttpResponse<String> response = application.get("/whoami", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("5");
        assertThat(response.headers().firstValue("WWW-Authenticate")).isEmpty();
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.body()).contains("\"code\":\"api-key/unavailable\"").contains("\"status\":503");
    }

    @Test
    void requestWhenTheDatabaseRejectsThen500() {
        application
                .registries()
                .get("live")
                .failWith(ApiKeyException.ofDatabase(new BadSqlGrammarException(
                        "verify", "SELECT", new SQLException("permission denied", "42501"))));

        HttpResponse<String> response = application.get("/whoami", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
        assertThat(response.body())
                .contains("\"code\":\"api-key/database-error\"")
                .doesNotContain("permission");
    }

    @Test
    void requestWhenRegistryHasDefectThen503() {
        application.registries().get("live").failWith(new IllegalStateException("a defect"));

        HttpResponse<String> response = application.get("/whoami", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("\"code\":\"api-key/unavailable\"").doesNotContain("a defect");
    }

    @Test
    void asynchronousDispatchThenNeedsNoSecondVerification() {
        int before = application.registries().verifications();

        HttpResponse<String> response = application.get("/async", "X-API-Key", token("live"));

        assertThat(response.body()).isEqualTo("owner-1");
        assertThat(application.registries().verifications()).isEqualTo(before + 1);
    }

    @Test
    void errorDispatchThenNeedsNoSecondVerification() {
        int before = application.registries().verifications();

        HttpResponse<String> response = application.get("/broken", "X-API-Key", token("live"));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("\"path\":\"/broken\"");
        assertThat(application.registries().verifications()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "image/png"})
    void browserWhenKeyIsMissingThenSentToLoginPage(String accept) {
        HttpResponse<String> response = application.get("/orders", "Accept", accept);

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).endsWith("/login"));
    }

    @Test
    void loginPageWhenKeysAreAcceptedThenLeadsBackToRequest() {
        HttpClient browser = HostApplication.browser();
        HostApplication.send(browser, application.request("/name?of=user").header("Accept", "text/html"));
        HttpResponse<String> page =
                HostApplication.send(browser, application.request("/login").header("Accept", "text/html"));
        assertThat(page.statusCode()).isEqualTo(200);
        Matcher csrf = Pattern.compile("name=\"_csrf\" type=\"hidden\" value=\"([^\"]+)\"")
                .matcher(page.body());
        assertThat(csrf.find()).as(page.body()).isTrue();

        HttpResponse<String> response = HostApplication.send(
                browser,
                application
                        .request("/login")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("username=user&password=password&_csrf=" + csrf.group(1))));

        assertThat(response.statusCode()).isEqualTo(302);
        assertThat(response.headers().firstValue("Location"))
                .hasValueSatisfying(to -> assertThat(to).contains("/name?of=user"));
        assertThat(HostApplication.send(browser, application.request("/name")).body())
                .isEqualTo("user");
    }

    @Test
    void clientWhenKeyIsMissingThenBasicChallenge() {
        HttpResponse<String> response = application.get("/orders", "Accept", "application/json");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().allValues("WWW-Authenticate"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("Basic");
    }

    @Test
    void userOfBootThenLogsInAndNeedsCsrfToken() {
        assertThat(application.get("/name", "Authorization", BASIC).body()).isEqualTo("user");
        HttpResponse<String> post = application.post("/orders", "Authorization", BASIC, "Accept", "application/json");
        // Boot answers a missing CSRF token through its error page, which asks for authentication.
        assertThat(post.statusCode()).isEqualTo(401);
        assertThat(post.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(challenge -> assertThat(challenge).startsWith("Basic"));
    }

    @Test
    void userWhenScopeIsMissingThenApplicationAnswers() {
        HttpResponse<String> response = application.get("/orders", "Authorization", BASIC);

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).doesNotContain("api-key/").contains("\"path\":\"/orders\"");
    }

    /** {@link KeyedChallengeTests} tests other chains and failures. */
    @Test
    void keyWhenMethodFindsNoCallerThenAnsweredAsApiKey() {
        assertRefused(application.get("/orders/future", "X-API-Key", token("live")));
    }

    @Test
    void filterThenIsNoFilterOfTheServletContainer() {
        WebApplicationContext context = (WebApplicationContext) application.context();

        ServletContext servlets = Objects.requireNonNull(context.getServletContext());
        assertThat(servlets.getFilterRegistrations().values())
                .extracting(registration -> registration.getClassName())
                .noneMatch(name -> name.contains("credential"));
    }

    @Test
    void eventsThenTellSuccessAndFailureWithoutTheToken() {
        List<AbstractAuthenticationEvent> events = application.context().getBean(Host.class).events;
        events.clear();

        application.get("/name", "X-API-Key", token("live"));
        application.get("/name", "X-API-Key", token("other"));

        assertThat(events)
                .hasExactlyElementsOfTypes(
                        AuthenticationSuccessEvent.class, AuthenticationFailureBadCredentialsEvent.class)
                .allSatisfy(event ->
                        assertThat(event.getAuthentication().getCredentials()).isNull());
    }

    @Test
    void logThenHoldsNoToken(CapturedOutput output) {
        application.get("/whoami", "X-API-Key", token("live"));
        application.registries().get("live").forget();
        application.get("/whoami", "X-API-Key", token("live"));
        application.get("/whoami", "Authorization", "ApiKey " + token("live"));
        application.get("/whoami", "X-API-Key", token("live"), "X-API-Key", token("live"));

        assertThat(output).contains("The request contains more than one credential");
        assertThat(output).doesNotContain(token("live")).doesNotContain("00112233445566778899aabbccddeeff");
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @EnableAsync
    @Import({OrdersController.class, KeyedChallengeTests.Failures.class, KeyedChallengeTests.AsyncOrders.class})
    static class Host {

        private final List<AbstractAuthenticationEvent> events = new CopyOnWriteArrayList<>();

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live");
        }

        @EventListener
        void record(AbstractAuthenticationEvent event) {
            events.add(event);
        }
    }
}
