package io.credential.sample;

import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Which requests about endpoints, events and deliveries are invalid. */
@SampleTest
class WebhookValidationIT extends WebhookFixture {

    WebhookValidationIT(RunningSample running) {
        super(running);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://10.0.0.1/hook",
                "http://192.168.1.1/hook",
                "http://169.254.169.254/latest/meta-data",
                "http://[::ffff:10.0.0.1]/hook",
                "http://0x0a000001/hook",
                "http://167772161/hook",
                "http://user@127.0.0.1/hook",
                "ftp://127.0.0.1/hook",
                "file:///etc/passwd",
                "not a url",
                "http://no-such-host.invalid/hook"
            })
    void endpointWhenDestinationIsNotAllowedThenRefused(String url) {
        Answer answer = admin.post(
                "/endpoints",
                Map.of("endpointId", "refused", "url", url, "eventTypes", List.of("*"), "secret", SECRET));

        assertProblem(answer, 400);
        assertThat(answer.text("code")).isIn("webhook-dispatcher/unsafe-destination", "webhook-dispatcher/bad-opts");
        assertThat(endpoints("refused")).isEmpty();
    }

    @Test
    void endpointWhenAddressIsPrivateThenUnsafeDestination() {
        assertProblem(
                admin.post(
                        "/endpoints",
                        Map.of(
                                "endpointId",
                                "private",
                                "url",
                                "http://10.0.0.1/hook",
                                "eventTypes",
                                List.of("*"),
                                "secret",
                                SECRET)),
                400,
                "webhook-dispatcher/unsafe-destination");
    }

    static final List<String> BAD_ENDPOINTS = Stream.of(
                    "",
                    "[]",
                    "{}",
                    "{'endpointId':'x'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'scheme':'other'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'scheme':'standard-webhooks','secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'scheme':'stripe','signatureHeader':'Host'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'signatureHeader':'X-Signature'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':''}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':7}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':[],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['a b'],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':[null],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':'*','secret':'s'}",
                    "{'endpointId':'a b','url':'http://127.0.0.1/','eventTypes':['*'],'secret':'s'}",
                    "{'endpointId':'x','url':'http://127.0.0.1/','eventTypes':['*'],'secret':'s','more':1}")
            .map(text -> text.replace('\'', '"'))
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ENDPOINTS")
    void endpointWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/endpoints", body), 400);
        assertThat(endpoints("x")).isEmpty();
    }

    @Test
    void eventWhenNameIsNotUsableThenBadRequest() {
        assertProblem(
                admin.postText("/events/" + URLEncoder.encode("a,b", UTF_8), "{}"), 400, "webhook-dispatcher/bad-opts");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status=IN_FLIGHT",
                "status=in_flight",
                "status=unknown",
                "limit=0",
                "limit=1001",
                "limit=many",
                "responseStatus=1000",
                "reason=unknown",
                "minAttempts=-1",
                "from=yesterday",
                "cursor=1"
            })
    void deliveriesWhenQueryMeansNothingThenBadRequest(String query) {
        assertProblem(admin.get("/deliveries?" + query), 400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"query\":null}",
                "{\"query\":{\"limit\":1}}",
                "{\"query\":{\"cursor\":\"1\"}}",
                "{\"query\":{\"status\":\"in-flight\"}}",
                "{\"query\":{\"status\":\"unknown\"}}",
                "{\"query\":{\"endpointId\":\"a b\"}}",
                "{\"query\":{\"endpointId\":\"\"}}",
                "{\"query\":{\"eventType\":\"\"}}",
                "{\"query\":{\"status\":\"\"}}",
                "{\"query\":{\"responseStatus\":\"\"}}",
                "{\"query\":{\"from\":\"\"}}",
                "{\"query\":{\"to\":\"\"}}",
                "{\"query\":{\"eventId\":\"\"}}",
                "{\"query\":{\"minAttempts\":\"\"}}",
                "{\"query\":{\"minAttempts\":-1}}"
            })
    void bulkRetryWhenQueryCannotBeUsedThenBadRequest(String request) {
        assertProblem(admin.postText("/deliveries/bulk-retry", request), 400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"eventId\":\"unknown\"}", "{\"audience\":\"\"}", "{\"cursor\":\"1\"}"})
    void erasePayloadsWhenQueryIsMalformedThenBadRequest(String request) {
        assertProblem(admin.postText("/deliveries/erase-payloads", request), 400, "webhook-dispatcher/bad-opts");
    }
}
