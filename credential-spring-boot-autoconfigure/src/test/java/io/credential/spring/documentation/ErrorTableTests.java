package io.credential.spring.documentation;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.web.CredentialExceptionHandler;
import io.credential.testing.DocTable;
import io.credential.testing.MainSources;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/errors.md} lists every error code, and no other, with the status that it is answered with. */
class ErrorTableTests {

    private static final String CODE = "(api-key|webhook|webhook-dispatcher)/[a-z-]+";

    /** Labels of derived keys that look like codes. */
    private static final Set<String> NOT_CODES = Set.of("api-key/owner-id");

    /** Answered by the security chain or the filter for webhooks; the tests of those hold the statuses. */
    private static final Map<String, String> ANSWERED_BY_FILTERS = Map.of(
            "api-key/unauthorized", "401",
            "api-key/insufficient-scope", "403",
            "api-key/forbidden", "403",
            "webhook/method-not-allowed", "405",
            "webhook/body-too-large", "413",
            "webhook/internal", "500");

    /** Thrown when a signer or verifier is built. All other codes of signatures are answered with 401 or thrown by send. */
    static final Set<WebhookErrorCode> AT_STARTUP = EnumSet.of(
            WebhookErrorCode.BAD_OPTS,
            WebhookErrorCode.BAD_OPT,
            WebhookErrorCode.BAD_SECRET,
            WebhookErrorCode.BAD_ALG,
            WebhookErrorCode.BAD_TOLERANCE,
            WebhookErrorCode.BAD_NONCE_STORE);

    private static final Set<WebhookErrorCode> BY_SEND =
            EnumSet.of(WebhookErrorCode.UNSAFE_DESTINATION, WebhookErrorCode.SEND_FAILED);

    private final CredentialExceptionHandler handler = new CredentialExceptionHandler();

    @Test
    void tableListsEveryCodeInTheSources() {
        Set<String> codes = new TreeSet<>(MainSources.literals(CODE));
        codes.removeAll(NOT_CODES);

        assertThat(codes).hasSizeGreaterThan(40);
        DocTable.read("errors.md", "code").assertListsExactly(codes);
    }

    @Test
    void tableShowsTheStatusOfEveryCode() {
        Map<String, String> statuses = new TreeMap<>(ANSWERED_BY_FILTERS);
        for (ApiKeyErrorCode code : ApiKeyErrorCode.values()) {
            statuses.put(code.text(), status(handler.handle(new ApiKeyException(code, "x"))));
        }
        NotLeaderException notLeader = new NotLeaderException(null);
        statuses.put(notLeader.code(), status(handler.handle(notLeader)));
        for (WebhookDispatcherErrorCode code : WebhookDispatcherErrorCode.values()) {
            statuses.put(code.text(), status(handler.handle(new WebhookDispatcherException(code, "x"))));
        }
        for (WebhookErrorCode code : WebhookErrorCode.values()) {
            statuses.put(code.text(), status(code));
        }

        DocTable.read("errors.md", "code").assertColumn("status", statuses);
    }

    private static String status(WebhookErrorCode code) {
        if (AT_STARTUP.contains(code)) {
            return "startup";
        }
        if (code == WebhookErrorCode.BAD_BODY) {
            return "400";
        }
        return BY_SEND.contains(code) ? "`send`" : "401";
    }

    private static String status(ResponseEntity<?> answer) {
        return String.valueOf(answer.getStatusCode().value());
    }
}
