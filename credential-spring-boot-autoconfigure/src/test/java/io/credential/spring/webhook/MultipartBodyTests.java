package io.credential.spring.webhook;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;

import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Multipart forms in the controllers of a server: Spring MVC asks for the parts, unless it takes them to be none. */
class MultipartBodyTests {

    private static final String TEXT = part("name=\"text\"", "grüße");
    private static final String JSON = part("name=\"order\"\r\nContent-Type: application/json", "{\"id\":\"o1\"}");
    private static final String FILE = part("name=\"file\"; filename=\"a.txt\"\r\nContent-Type: text/plain", "content");
    private static final String FORM = TEXT + JSON + FILE + "--x--\r\n";

    private static WebhookHost tomcat;
    private static WebhookHost jetty;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        tomcat = start(OnTomcat.class);
        jetty = start(OnJetty.class);
    }

    private static WebhookHost start(Class<?> source, String... properties) {
        return WebhookHost.start(
                source,
                properties.length > 0
                        ? properties
                        : new String[] {
                            "spring.servlet.multipart.max-file-size=100B",
                            "spring.servlet.multipart.max-request-size=1000B"
                        });
    }

    @AfterAll
    static void stop() {
        tomcat.close();
        jetty.close();
    }

    @Test
    void controllerThenTakesPartsOfTheVerifiedBytes() {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, "/hooks/partner/multipart?text=forged&more=forged", FORM);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("grüße o1 a.txt text/plain content");
        }
    }

    @Test
    void requestThenHasPartsAndParameters() {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, "/hooks/partner/native?text=forged&more=forged", FORM);

            assertThat(answer.body())
                    .isEqualTo("3 parts, file of 7, no other, [text, order], [grüße], {\"id\":\"o1\"}");
        }
    }

    @Test
    void fileWhenWrittenThenHasTheContent() throws IOException {
        Path target = directory.resolve("target");

        assertThat(send(tomcat, "/hooks/partner/write?to=" + target, FORM).statusCode())
                .isEqualTo(200);
        assertThat(target).hasContent("content");
    }

    @Test
    void formWhenMalformedThenBadBody() {
        for (WebhookHost host : hosts()) {
            HttpResponse<String> answer = send(host, "/hooks/partner/multipart", TEXT);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("\"code\":\"webhook/bad-body\"", "does not end with its boundary");
        }
    }

    @Test
    void fieldWhenNotOfTheCharsetThenBadBody() {
        byte[] form = FORM.getBytes(UTF_8);
        for (int i = 0; i < form.length; i++) {
            form[i] = form[i] == (byte) 0xBC ? (byte) 'u' : form[i];
        }

        HttpResponse<String> answer = tomcat.send(signed(tomcat, "/hooks/partner/native", form));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
    }

    @Test
    void fileWhenTooLargeThenRefused() {
        for (WebhookHost host : hosts()) {
            for (int size : new int[] {100, 101}) {
                String form = TEXT + JSON + part("name=\"file\"; filename=\"a\"", "a".repeat(size)) + "--x--";

                assertThat(send(host, "/hooks/partner/multipart", form).statusCode())
                        .isEqualTo(size == 100 ? 200 : 413);
            }
        }
    }

    @Test
    void formWhenTooLargeThenRefused() {
        for (WebhookHost host : hosts()) {
            for (int size : new int[] {1000, 1001}) {
                String form = FORM + part("name=\"text\"", "");
                String filled = TEXT + JSON + FILE
                        + part("name=\"more\"", "m".repeat(size - form.getBytes(UTF_8).length)) + "--x--\r\n";
                assertThat(filled.getBytes(UTF_8)).hasSize(size);

                HttpResponse<String> answer = send(host, "/hooks/partner/multipart", filled);

                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(size == 1000 ? 200 : 413);
            }
        }
    }

    @Test
    void formWhenMultipartIsDisabledThenUnsupported() {
        try (WebhookHost host = start(OnTomcat.class, "spring.servlet.multipart.enabled=false")) {
            HttpResponse<String> answer = send(host, "/hooks/partner/native", FORM);

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(415);
            assertThat(answer.body()).contains("\"code\":\"webhook/unsupported-media-type\"");
        }
    }

    private static WebhookHost[] hosts() {
        return new WebhookHost[] {tomcat, jetty};
    }

    private static String part(String head, String content) {
        return "--x\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + content + "\r\n";
    }

    private static HttpResponse<String> send(WebhookHost host, String path, String form) {
        return host.send(signed(host, path, form.getBytes(UTF_8)));
    }

    private static HttpRequest.Builder signed(WebhookHost host, String path, byte[] body) {
        HttpRequest.Builder request = host.post(path, body).header("Content-Type", "multipart/form-data; boundary=x");
        WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", WebhookHost.SECRET)
                .build()
                .headers(body)
                .forEach(request::header);
        return request;
    }

    @RestController
    static class Forms {

        @PostMapping("/hooks/partner/multipart")
        String multipart(
                @RequestParam("text") String text,
                @RequestPart("order") Map<String, String> order,
                @RequestParam("file") MultipartFile file)
                throws IOException {
            return text + " " + order.get("id") + " " + file.getOriginalFilename() + " " + file.getContentType() + " "
                    + new String(file.getBytes(), UTF_8);
        }

        @PostMapping("/hooks/partner/native")
        String parts(HttpServletRequest request) throws IOException, ServletException {
            Part file = request.getPart("file");
            return request.getParts().size() + " parts, file of " + file.getSize() + ", "
                    + (request.getPart("other") == null ? "no other" : "other") + ", "
                    + request.getParameterMap().keySet() + ", " + Arrays.toString(request.getParameterValues("text"))
                    + ", " + request.getParameter("order");
        }

        @PostMapping("/hooks/partner/write")
        void write(@RequestPart("file") MultipartFile file, HttpServletRequest request) throws IOException {
            String query = request.getQueryString();
            file.transferTo(Path.of(query.substring("to=".length())).toFile());
            assertThat(Files.exists(Path.of(query.substring("to=".length())))).isTrue();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @ImportAutoConfiguration(MultipartAutoConfiguration.class)
    @Import(Forms.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @ImportAutoConfiguration(MultipartAutoConfiguration.class)
    @Import(Forms.class)
    static class OnJetty {}
}
