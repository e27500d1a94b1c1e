package io.credential.spring.documentation;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import tools.jackson.databind.json.JsonMapper;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.spring.leak.internal.LeakReportFilter;
import io.credential.spring.web.ApiKeyExceptionHandler;
import io.credential.spring.web.WebhookDispatcherExceptionHandler;
import io.credential.spring.webhook.internal.FormLimits;
import io.credential.spring.webhook.internal.InboundWebhook;
import io.credential.spring.webhook.internal.SignatureCheck;
import io.credential.spring.webhook.internal.WebhookSignatureFilter;
import io.credential.testing.DocTable;
import io.credential.testing.MainSources;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;
import io.credential.webhook.replay.NonceStoreException;
import io.credential.webhook.signature.ProcessorSignature;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/errors.md} lists every error code, and no other, with the status that it is answered with. */
class ErrorTableTests {

    private static final String CODE = "(api-key|webhook|webhook-dispatcher)/[a-z-]+";

    /** Labels of derived keys that look like codes. */
    private static final Set<String> NOT_CODES = Set.of("api-key/owner-id", "api-key/name-prefix", "api-key/scope");

    /** Answered by the security chain, whose tests hold the statuses. */
    private static final Map<String, String> ANSWERED_BY_CHAIN = Map.of(
            "api-key/unauthorized", "401",
            "api-key/insufficient-scope", "403",
            "api-key/forbidden", "403",
            "api-key/network-not-allowed", "403",
            "api-key/https-required", "403",
            "api-key/rate-limited", "429",
            "api-key/quota-exceeded", "429",
            "api-key/too-many-failures", "429");

    /** Answered to reports of leaked keys, by a filter whose tests hold the statuses. */
    private static final Map<String, String> ANSWERED_TO_REPORTS = Map.of(
            LeakReportFilter.MALFORMED, "400",
            LeakReportFilter.UNAUTHORIZED, "401",
            LeakReportFilter.METHOD_NOT_ALLOWED, "405",
            LeakReportFilter.TOO_LARGE, "413",
            LeakReportFilter.UNSUPPORTED_MEDIA_TYPE, "415",
            LeakReportFilter.UNAVAILABLE, "503");

    /** Thrown when a signer or verifier is built. */
    static final Set<WebhookErrorCode> AT_STARTUP = EnumSet.of(
            WebhookErrorCode.BAD_OPTS,
            WebhookErrorCode.BAD_OPT,
            WebhookErrorCode.BAD_SECRET,
            WebhookErrorCode.BAD_ALG,
            WebhookErrorCode.BAD_TOLERANCE,
            WebhookErrorCode.BAD_NONCE_STORE);

    private static final Set<WebhookErrorCode> BY_SEND = EnumSet.of(
            WebhookErrorCode.UNSAFE_DESTINATION,
            WebhookErrorCode.UNRESOLVABLE_DESTINATION,
            WebhookErrorCode.SEND_FAILED);

    private static final String HOOK = "/hook";
    private static final int MAX_BODY = 1;
    private static final JsonMapper JSON = new JsonMapper();

    private final ApiKeyExceptionHandler keys = new ApiKeyExceptionHandler();
    private final WebhookDispatcherExceptionHandler dispatcher = new WebhookDispatcherExceptionHandler();

    @Test
    void tableThenListsEveryCodeInTheSources() {
        Set<String> codes = new TreeSet<>(MainSources.literals(CODE));
        codes.removeAll(NOT_CODES);

        assertThat(codes).hasSizeGreaterThan(40);
        DocTable.read("errors.md", "code").assertListsExactly(codes);
    }

    @Test
    void tableThenShowsTheStatusOfEveryCode() throws Exception {
        Map<String, String> statuses = new TreeMap<>(ANSWERED_BY_CHAIN);
        statuses.putAll(ANSWERED_TO_REPORTS);
        for (ApiKeyErrorCode code : ApiKeyErrorCode.values()) {
            statuses.put(code.text(), status(keys.handle(new ApiKeyException(code, "x"))));
        }
        NotLeaderException notLeader = new NotLeaderException(null);
        statuses.put(notLeader.code(), status(keys.handle(notLeader)));
        for (WebhookDispatcherErrorCode code : WebhookDispatcherErrorCode.values()) {
            statuses.put(code.text(), status(dispatcher.handle(new WebhookDispatcherException(code, "x"))));
        }
        AT_STARTUP.forEach(code -> statuses.put(code.text(), "startup"));
        BY_SEND.forEach(code -> statuses.put(code.text(), "`send`"));
        statuses.putAll(answersOfTheWebhookFilter());

        DocTable.read("errors.md", "code").assertColumn("status", statuses);
    }

    @Test
    void reasonTableThenListsEveryReasonWithItsPhase() {
        Map<String, String> phases = new TreeMap<>();
        for (FailureReason reason : FailureReason.values()) {
            FailurePhase phase = reason.phase();
            phases.put(reason.text(), phase == null ? "" : "`" + phase.text() + "`");
        }

        DocTable table = DocTable.read("errors.md", "reason");
        table.assertListsExactly(phases.keySet());
        table.assertColumn("phase", phases);
    }

    /** Provokes every answer of the filter; the status by the code. */
    private static Map<String, String> answersOfTheWebhookFilter() throws Exception {
        Map<String, String> statuses = new TreeMap<>();
        Set<WebhookErrorCode> rejections = EnumSet.allOf(WebhookErrorCode.class);
        rejections.removeAll(AT_STARTUP);
        rejections.removeAll(BY_SEND);
        // The filter itself answers with this code, and hands no check a body that is absent.
        rejections.remove(WebhookErrorCode.BAD_BODY);
        for (WebhookErrorCode code : rejections) {
            addAnswer(statuses, post(), request -> {
                throw new WebhookException(code, "x");
            });
        }
        ProcessorSignature pair =
                ProcessorSignature.builder().secret("correct horse battery").build();
        SignatureCheck passing = request -> pair.examine(pair.sign(new byte[0]));
        addAnswer(statuses, unreadable(), passing);
        MockHttpServletRequest tooLong = post();
        tooLong.setContent(new byte[MAX_BODY + 1]);
        addAnswer(statuses, tooLong, passing);
        addAnswer(statuses, new MockHttpServletRequest("GET", HOOK), passing);
        addAnswer(statuses, post(), request -> {
            throw new IllegalStateException("x");
        });
        addAnswer(statuses, post(), request -> {
            throw new NonceStoreException(new IllegalStateException("x"));
        });
        addAnswer(statuses, post(), List.of(sender("partner", passing), sender("other", passing)));
        addAnswer(statuses, new MockHttpServletRequest("GET", "/;a=%zz"), passing);
        addAnswer(
                statuses,
                post(),
                List.of(sender("partner", passing)),
                (request, response) -> ((HttpServletRequest) request).getParts());
        return statuses;
    }

    private static void addAnswer(Map<String, String> statuses, HttpServletRequest request, SignatureCheck check)
            throws Exception {
        addAnswer(statuses, request, List.of(sender("partner", check)));
    }

    private static InboundWebhook sender(String name, SignatureCheck check) {
        return new InboundWebhook(name, List.of(HOOK), Set.of("POST"), check, MAX_BODY, true, null, null);
    }

    private static void addAnswer(
            Map<String, String> statuses, HttpServletRequest request, List<InboundWebhook> webhooks) throws Exception {
        addAnswer(statuses, request, webhooks, new MockFilterChain());
    }

    private static void addAnswer(
            Map<String, String> statuses, HttpServletRequest request, List<InboundWebhook> webhooks, FilterChain chain)
            throws Exception {
        MockHttpServletResponse response = new MockHttpServletResponse();
        new WebhookSignatureFilter(webhooks, unsigned -> false, new FormLimits(1000, null))
                .doFilter(request, response, chain);
        String code =
                JSON.readTree(response.getContentAsByteArray()).get("code").asString();
        statuses.put(code, String.valueOf(response.getStatus()));
    }

    private static MockHttpServletRequest post() {
        return new MockHttpServletRequest("POST", HOOK);
    }

    private static HttpServletRequest unreadable() {
        return new HttpServletRequestWrapper(post()) {
            @Override
            public ServletInputStream getInputStream() throws IOException {
                throw new IOException("The client has gone");
            }
        };
    }

    private static String status(ResponseEntity<?> answer) {
        return String.valueOf(answer.getStatusCode().value());
    }
}
