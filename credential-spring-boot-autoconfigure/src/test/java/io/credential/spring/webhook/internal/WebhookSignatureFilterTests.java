package io.credential.spring.webhook.internal;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.webhook.HookController;
import io.credential.spring.webhook.WebhookHost;
import io.credential.testing.InParallel;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The filter on a real Tomcat, without Spring Security. */
class WebhookSignatureFilterTests {

    private static final String PROCESSOR_SECRET = "a secret of the processor, long enough";
    private static final String HEADER = "Webhook-Signature";
    private static final byte[] BODY = "{\"name\":\"kettle\"}".getBytes(UTF_8);

    private static final WebhookSigner SIGNER = WebhookSigner.builder()
            .algorithm("hmac-sha3-512")
            .key("v1", WebhookHost.SECRET)
            .build();

    private static WebhookHost host;

    @BeforeAll
    static void start() {
        host = WebhookHost.start(
                Application.class,
                "credential.webhook.inbound.partner.nonce-store=memory",
                "credential.webhook.inbound.partner.max-body-size=1KB",
                "credential.webhook.inbound.partner.methods=POST,PUT",
                "credential.webhook.inbound.processor.paths=/hooks/processor",
                "credential.webhook.inbound.processor.algorithm=hmac-sha256-processor",
                "credential.webhook.inbound.processor.keys.v1=" + PROCESSOR_SECRET);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @Test
    void controllerThenBindsTheVerifiedJson() {
        HttpResponse<String> answer = host.send(signed("/hooks/partner/json", BODY, "application/json"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("v1 kettle");
    }

    @Test
    void controllerThenReadsTheVeryBytesThatWereVerified() {
        byte[] everyByte = new byte[256];
        IntStream.range(0, 256).forEach(i -> everyByte[i] = (byte) i);

        HttpResponse<String> answer = host.send(signed("/hooks/partner/hex", everyByte, "application/octet-stream"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(HexFormat.of().formatHex(everyByte));
    }

    @Test
    void formThenIsReadFromTheVerifiedBytes() {
        byte[] form = "name=k%C3%A4ttle+1&empty".getBytes(ISO_8859_1);

        HttpResponse<String> answer =
                host.send(signed("/hooks/partner/form", form, "application/x-www-form-urlencoded"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("v1 kättle 1 [kättle 1] [name, empty] [name, empty]");
    }

    @Test
    void formWhenPostedThenItsQueryIsNoParameter() {
        byte[] form = "name=signed".getBytes(UTF_8);

        HttpResponse<String> answer = host.send(
                signed("/hooks/partner/form?name=forged&more=forged", form, "application/x-www-form-urlencoded"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("v1 signed [signed] [name] [name]");
    }

    @Test
    void formWhenSentByPutThenItsQueryIsNoParameter() {
        byte[] form = "name=signed".getBytes(UTF_8);

        HttpResponse<String> answer = host.send(
                signed("/hooks/partner/form?name=forged&more=forged", form, "application/x-www-form-urlencoded")
                        .PUT(BodyPublishers.ofByteArray(form)));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("v1 signed [signed] [name] [name]");
    }

    @Test
    void controllerWhenItUsesTheReaderThenReadsTheBody() {
        assertThat(host.send(signed("/hooks/partner/reader", "grüße".getBytes(UTF_8), "text/plain"))
                        .body())
                .isEqualTo("grüße");
    }

    @Test
    void resultThenIsRequestAttributeAndNoSessionIsMade() {
        assertThat(host.send(signed("/hooks/partner/attribute", BODY, "application/json"))
                        .body())
                .isEqualTo("hmac-sha3-512 no session");
    }

    @Test
    void processorSignatureThenIsVerifiedByItsOwnHeader() {
        String header =
                ProcessorSignature.builder().secret(PROCESSOR_SECRET).build().sign(BODY);

        assertThat(host.send(host.post("/hooks/processor", BODY).header("Processor-Signature", header))
                        .body())
                .isEqualTo("v1");
        assertRefused(
                host.send(host.post("/hooks/processor", "{}".getBytes(UTF_8)).header("Processor-Signature", header)),
                "webhook/bad-signature");
        assertRefused(
                host.send(host.post("/hooks/processor", BODY)
                        .header("Processor-Signature", header)
                        .header("Processor-Signature", header)),
                "webhook/missing-header");
    }

    @Test
    void requestWhenNotSignedThenRefused() {
        assertRefused(host.send(host.post("/hooks/partner/json", BODY)), "webhook/missing-header");
    }

    @Test
    void requestWhenBodyIsChangedThenRefused() {
        String header = signature(BODY);
        byte[] changed = BODY.clone();
        changed[3] ^= 1;

        assertRefused(
                host.send(host.post("/hooks/partner/json", changed).header(HEADER, header)), "webhook/bad-signature");
    }

    @Test
    void requestWhenHeaderHasTwoLinesThenRefused() {
        assertRefused(
                host.send(host.post("/hooks/partner/json", BODY)
                        .header(HEADER, signature(BODY))
                        .header(HEADER, signature(BODY))),
                "webhook/bad-header-format");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/hooks/partner/bytes/",
                "/HOOKS/partner/bytes",
                "/hooks/partner/./bytes",
                "/hooks/partner//bytes",
                "/hooks/partner;a=b/bytes",
                "/hooks/%70artner/bytes"
            })
    void requestWhenPathIsSpelledOtherwiseThenRefused(String path) {
        HttpResponse<String> answer = host.send(host.post(path, BODY));

        assertThat(answer.statusCode()).isEqualTo(401);
    }

    @Test
    void requestWhenPathIsAnotherThenNoSignatureNeeded() {
        assertThat(host.send(HttpRequest.newBuilder(host.uri("/page"))).body()).isEqualTo("page");
    }

    @Test
    void deliveryWhenSecondOfAnIdThenReplay() {
        String header = signature(BODY);

        assertThat(host.send(host.post("/hooks/partner/bytes", BODY).header(HEADER, header))
                        .statusCode())
                .isEqualTo(200);
        assertRefused(host.send(host.post("/hooks/partner/bytes", BODY).header(HEADER, header)), "webhook/replay");
    }

    @Test
    void deliveryWhenManyAtOnceThenOneIsAccepted() {
        String header = signature(BODY);

        List<Integer> statuses = InParallel.run(
                32,
                () -> host.send(host.post("/hooks/partner/bytes", BODY).header(HEADER, header))
                        .statusCode());

        assertThat(statuses).containsOnlyOnce(200);
    }

    @Test
    void bodyWhenDeclaredTooLongThenRefused() {
        byte[] body = new byte[1025];

        assertTooLarge(host.send(signed("/hooks/partner/bytes", body, "application/octet-stream")));
    }

    @Test
    void bodyWhenTooLongWithoutDeclaredLengthThenRefused() {
        byte[] body = new byte[1025];

        assertTooLarge(host.send(HttpRequest.newBuilder(host.uri("/hooks/partner/bytes"))
                .header(HEADER, signature(body))
                .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))));
    }

    @Test
    void bodyWhenOfTheLongestLengthThenAccepted() {
        assertThat(host.send(signed("/hooks/partner/bytes", new byte[1024], "application/octet-stream"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void verifiedWebhookWhenPathIsAnotherThenFails() {
        assertThat(host.send(host.post("/open?id=forged&kid=v1&algorithm=a&timestamp=1", BODY))
                        .statusCode())
                .isEqualTo(500);
    }

    @Test
    void optionalWhenNotVerifiedThenEmptyDespiteParameters() {
        HttpResponse<String> answer =
                host.send(host.post("/open/optional?id=forged&kid=v1&algorithm=a&timestamp=1", BODY));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("none");
    }

    @Test
    void modelAttributeWhenNotVerifiedThenFails() {
        assertThat(host.send(host.post("/open/model?id=forged&kid=v1&algorithm=a&timestamp=1", BODY))
                        .statusCode())
                .isEqualTo(500);
    }

    @Test
    void argumentsWhenVerifiedThenThoseOfTheSignature() {
        assertThat(host.send(signed("/hooks/partner/optional?kid=forged", BODY, "application/json"))
                        .body())
                .isEqualTo("v1 false");
        assertThat(host.send(signed("/hooks/partner/model?kid=forged", BODY, "application/json"))
                        .body())
                .isEqualTo("v1");
    }

    @Test
    void requestWhenByAnotherMethodThenRefused() {
        HttpResponse<String> answer = host.send(HttpRequest.newBuilder(host.uri("/hooks/partner/any-method")));

        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow").orElse("")).contains("POST", "PUT");
        assertThat(answer.body()).contains("\"code\":\"webhook/method-not-allowed\"");
    }

    @Test
    void sessionWhenControllerCreatesOneThenNoCookieIsSet() {
        HttpResponse<String> answer = host.send(signed("/hooks/partner/session", BODY, "application/json"));

        assertThat(answer.body()).isEqualTo("value");
        assertThat(answer.headers().map()).doesNotContainKey("set-cookie");
    }

    @Test
    void controllerWhenItThrowsThenErrorPropagates() {
        HttpResponse<String> answer = host.send(signed("/hooks/partner/fails", BODY, "application/json"));

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("webhook/");
    }

    private static HttpRequest.Builder signed(String path, byte[] body, String contentType) {
        return host.post(path, body).header(HEADER, signature(body)).header("Content-Type", contentType);
    }

    private static String signature(byte[] body) {
        return Objects.requireNonNull(SIGNER.headers(body).get(HEADER));
    }

    private static void assertRefused(HttpResponse<String> answer, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.headers().firstValue("WWW-Authenticate")).isPresent();
        JsonNode problem = JsonMapper.shared().readTree(answer.body());
        assertThat(problem.propertyNames()).containsExactlyInAnyOrder("title", "status", "detail", "code");
        assertThat(problem.required("code").asString()).isEqualTo(code);
        assertThat(problem.required("status").asInt()).isEqualTo(401);
        assertThat(problem.required("detail").asString())
                .isEqualTo("This request needs a valid signature that was not used before");
    }

    private static void assertTooLarge(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(413);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"code\":\"webhook/body-too-large\"");
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(HookController.class)
    static class Application {}
}
