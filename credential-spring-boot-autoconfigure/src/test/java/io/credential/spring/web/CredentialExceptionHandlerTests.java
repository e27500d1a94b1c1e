package io.credential.spring.web;

import java.sql.SQLException;
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import ch.qos.logback.classic.Level;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.storage.DatabaseFault;
import io.credential.testing.CapturedLog;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static org.assertj.core.api.Assertions.assertThat;

class CredentialExceptionHandlerTests {

    private final ThrowingController controller = new ThrowingController();
    private final MockMvcTester mvc = MockMvcTester.create(MockMvcBuilders.standaloneSetup(controller)
            .setControllerAdvice(new ApiKeyExceptionHandler(), new WebhookDispatcherExceptionHandler())
            .build());

    private MvcTestResult answerTo(RuntimeException exception) {
        controller.thrown = () -> exception;
        return mvc.get().uri("/throws").exchange();
    }

    @ParameterizedTest
    @CsvSource({
        "BAD_OPT, 400, Bad Request",
        "MISSING_OWNER, 400, Bad Request",
        "BAD_SCOPES, 400, Bad Request",
        "BAD_METADATA, 400, Bad Request",
        "NOT_FOUND, 404, Not Found",
        "REVOKED, 409, Conflict",
        "EXPIRED, 409, Conflict",
        "ROTATION_CONFLICT, 409, Conflict",
        "RESEAL_WINDOW_CLOSED, 409, Conflict",
        "UNREADABLE_ROW, 500, Internal Server Error",
        "UNAVAILABLE, 503, Service Unavailable"
    })
    void handleWhenApiKeyFailsThenStatusOfTheCode(ApiKeyErrorCode code, int status, String title) {
        MvcTestResult answer = answerTo(new ApiKeyException(code, "What to do"));

        assertThat(answer).hasStatus(status).hasContentType("application/problem+json");
        assertThat(answer).bodyJson().extractingPath("$.status").isEqualTo(status);
        assertThat(answer).bodyJson().extractingPath("$.title").isEqualTo(title);
        assertThat(answer).bodyJson().extractingPath("$.detail").isEqualTo("What to do");
        assertThat(answer).bodyJson().extractingPath("$.code").isEqualTo(code.text());
    }

    @ParameterizedTest
    @CsvSource({
        "BAD_OPTS, 400, Bad Request",
        "AUDIENCE_REQUIRED, 400, Bad Request",
        "UNSAFE_DESTINATION, 400, Bad Request",
        "UNRESOLVABLE_DESTINATION, 400, Bad Request",
        "NOT_FOUND, 404, Not Found",
        "IN_FLIGHT, 409, Conflict",
        "PAYLOAD_ERASED, 409, Conflict",
        "IDEMPOTENCY_CONFLICT, 409, Conflict",
        "FOREIGN_TRANSACTION, 409, Conflict",
        "RESEAL_WINDOW_CLOSED, 409, Conflict",
        "PAYLOAD_TOO_LARGE, 413, Content Too Large",
        "UNREADABLE_SECRET, 500, Internal Server Error"
    })
    void handleWhenDispatcherFailsThenStatusOfTheCode(WebhookDispatcherErrorCode code, int status, String title) {
        MvcTestResult answer = answerTo(new WebhookDispatcherException(code, "What to do"));

        assertThat(answer).hasStatus(status).hasContentType("application/problem+json");
        assertThat(answer).bodyJson().extractingPath("$.title").isEqualTo(title);
        assertThat(answer).bodyJson().extractingPath("$.detail").isEqualTo("What to do");
        assertThat(answer).bodyJson().extractingPath("$.code").isEqualTo(code.text());
    }

    @Test
    void handleWhenServerIsReadOnlyThenRemedyIsLogged() {
        SQLException readOnly = new SQLException("read-only", "25006");
        try (CapturedLog log = CapturedLog.of(CredentialExceptionHandler.class)) {
            assertThat(answerTo(ApiKeyException.ofDatabase(new UncategorizedSQLException("insert", null, readOnly))))
                    .hasStatus(503);

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(DatabaseFault.READ_ONLY_SERVER.remedy());
        }
    }

    @Test
    void handleWhenItMayWorkLaterThenRetryAfter() {
        assertThat(answerTo(new ApiKeyException(ApiKeyErrorCode.UNAVAILABLE, "Later")))
                .hasHeader("Retry-After", "5");
        assertThat(answerTo(new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "Never")))
                .doesNotContainHeader("Retry-After");
    }

    @Test
    void handleWhenLeaderIsKnownThenNamesItsUrl() {
        MvcTestResult answer = answerTo(new NotLeaderException("https://node-2.example.org"));

        assertThat(answer).hasStatus(503).hasHeader("Retry-After", "5");
        assertThat(answer).bodyJson().extractingPath("$.code").isEqualTo("api-key/not-leader");
        assertThat(answer).bodyJson().extractingPath("$.leaderUrl").isEqualTo("https://node-2.example.org");
    }

    @Test
    void handleWhenLeaderHasNoUrlThenSaysWhatToSet() {
        MvcTestResult answer = answerTo(new NotLeaderException("node-2", null));

        assertThat(answer).hasStatus(503).hasHeader("Retry-After", "5");
        assertThat(answer).bodyJson().extractingPath("$.leader").isEqualTo("node-2");
        assertThat(answer).bodyJson().doesNotHavePath("$.leaderUrl");
        assertThat(answer)
                .bodyJson()
                .extractingPath("$.detail")
                .asString()
                .contains("node-2", "credential.cluster.advertised-url")
                .doesNotContain("retry");
    }

    @Test
    void handleWhenThereIsNoLeaderThenNoUrl() {
        assertThat(answerTo(new NotLeaderException(null))).bodyJson().doesNotHavePath("$.leaderUrl");
    }

    @Test
    void handleWhenDeniedThenLeftToSpringSecurity() {
        AuthorizationDeniedException denied =
                new AuthorizationDeniedException("Access Denied", new AuthorizationDecision(false));

        assertThat(answerTo(denied)).hasFailed().failure().rootCause().isSameAs(denied);
    }

    @RestController
    static class ThrowingController {

        private Supplier<RuntimeException> thrown = IllegalStateException::new;

        @GetMapping("/throws")
        String fail() {
            throw thrown.get();
        }
    }
}
