package io.credential.sample;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.sample.Api.Answer;

import static io.credential.sample.ProblemAssert.assertProblem;

/** Which requests about keys and orders are invalid, and which no controller answers. */
@SampleTest
class RequestValidationIT extends KeyFixture {

    RequestValidationIT(RunningSample running) {
        super(running);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"limit\":0,\"windowSeconds\":60}",
                "{\"limit\":1000001,\"windowSeconds\":60}",
                "{\"limit\":1,\"windowSeconds\":86401}",
                "{\"limit\":1,\"windowSeconds\":9223372036854775807}",
                "{\"limit\":1}",
                "{\"windowSeconds\":60}"
            })
    void rateLimitWhenOutOfRangeThenBadRequest(String limit) {
        Answer answer = admin.postText("/keys", "{\"ownerId\":\"user-23\",\"rateLimit\":" + limit + "}");

        assertProblem(answer, 400, "api-key/bad-opt");
    }

    static final List<String> BAD_KEYS = Stream.concat(
                    Stream.of(
                            "",
                            "{",
                            "[]",
                            "\"text\"",
                            "null",
                            "{} {}",
                            "{}",
                            "{'ownerId':null}",
                            "{'ownerId':''}",
                            "{'ownerId':'  '}",
                            "{'ownerId':5}",
                            "{'ownerId':true}",
                            "{'ownerId':['x']}",
                            "{'ownerId':'" + "x".repeat(256) + "'}",
                            "{'ownerId':'x','ownerId':'y'}",
                            "{'ownerId':'x','owner':'y'}",
                            "{'ownerId':'x','scopes':'orders:read'}",
                            "{'ownerId':'x','scopes':[1]}",
                            "{'ownerId':'x','scopes':[null]}",
                            "{'ownerId':'x','scopes':['']}",
                            "{'ownerId':'x','scopes':['a b']}",
                            "{'ownerId':'x','scopes':['" + "s".repeat(129) + "']}",
                            "{'ownerId':'x','scopes':{}}",
                            "{'ownerId':'x','metadata':'text'}",
                            "{'ownerId':'x','metadata':[]}",
                            "{'ownerId':'x','metadata':1}",
                            "{'ownerId':'x','metadata':{'a':'" + "m".repeat(4096) + "'}}",
                            "{'ownerId':'x','expiresAt':'tomorrow'}",
                            "{'ownerId':'x','expiresAt':'4102444800000'}",
                            "{'ownerId':'x','expiresAt':4102444800000.5}",
                            "{'ownerId':'x','expiresAt':true}",
                            "{'ownerId':'x','expiresAt':99999999999999999999}",
                            "{'ownerId':'x','expiresAt':1000}",
                            "{'ownerId':'x','expiresAt':-1}"),
                    Stream.of("{'ownerId':'x','scopes':["
                            + String.join(
                                    ",",
                                    IntStream.range(0, 65)
                                            .mapToObj(i -> "'s" + i + "'")
                                            .toList())
                            + "]}"))
            .map(KeyFixture::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_KEYS")
    void issueWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/keys", body), 400);
    }

    @Test
    void listWhenTheOwnerIsBlankThenBadRequest() {
        assertProblem(admin.get("/keys?ownerId="), 400, "api-key/missing-owner");
        assertProblem(admin.get("/keys?ownerId=" + "x".repeat(256)), 400, "api-key/missing-owner");
    }

    static final List<String> BAD_ORDERS = Stream.of(
                    "",
                    "{",
                    "[]",
                    "{}",
                    "{'item':null}",
                    "{'item':''}",
                    "{'item':' '}",
                    "{'item':7}",
                    "{'item':'a\\u0000b'}",
                    "{'item':'" + "x".repeat(256) + "'}",
                    "{'item':'x','price':1}")
            .map(KeyFixture::json)
            .toList();

    @ParameterizedTest
    @FieldSource("BAD_ORDERS")
    void orderWhenBodyIsBadThenBadRequest(String body) {
        assertProblem(admin.postText("/orders", body), 400);
    }

    @Test
    void requestWhenNoControllerAnswersThenProblem() {
        assertProblem(admin.get("/nowhere"), 404);
        assertProblem(admin.send(admin.request("/keys").PUT(BodyPublishers.ofString("{}"))), 405);
        assertProblem(
                admin.send(admin.request("/orders")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString("kettle"))),
                415);
        assertProblem(
                admin.send(admin.request("/orders")
                        .header("Accept", "application/xml")
                        .GET()),
                406);
        assertProblem(admin.get("/keys/a;b"), 400);
    }
}
