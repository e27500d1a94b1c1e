package io.credential.spring.webhook;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.servlet.autoconfigure.MultipartAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.webhook.signature.WebhookSigner;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A verified form has the parameters that the container would find, and a malformed one its status. The containers read
 * the forms of unverified requests, so these tests need real ones.
 */
class FormBodyTests {

    private static final String FORM = "application/x-www-form-urlencoded";

    private static WebhookHost tomcat;
    private static WebhookHost jetty;

    @BeforeAll
    static void start() {
        // Otherwise, Spring Boot sets UTF-8 for all requests.
        tomcat = WebhookHost.start(
                OnTomcat.class, "spring.servlet.encoding.force=false", "server.tomcat.max-parameter-count=20");
        jetty = WebhookHost.start(OnJetty.class);
    }

    @AfterAll
    static void stop() {
        tomcat.close();
        jetty.close();
    }

    static Stream<String> forms() {
        return Stream.of(
                "a=1&b=2&a=3&c",
                "&&a=1&",
                "a=1=2+3",
                "a;b=1",
                "",
                "a=%",
                "a=%4",
                "a=%zz",
                "a=%+1",
                "a=%-1",
                "a=%u0041",
                "a=100%&b=1",
                "%zz=1",
                "=1",
                "a=%00",
                "a=%C3%A4%c3%a4",
                "a=%C3",
                "a=%ED%A0%80",
                "a=\u00c3\u00a4",
                "a=\u00c3",
                "a=%00%41",
                many(20),
                many(21));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void parametersThenAreThoseOfTomcat(String form) {
        for (String type : new String[] {"", ";charset=ISO-8859-1", ";charset=UTF-16", ";charset=unknown"}) {
            HttpResponse<String> expected = send(tomcat, "/open/parameters", form, FORM + type);
            HttpResponse<String> answer = send(tomcat, "/hooks/partner/parameters", form, FORM + type);

            assertThat(answer.statusCode()).as(type).isEqualTo(expected.statusCode());
            if (expected.statusCode() == 200) {
                assertThat(answer.body()).as(type).isEqualTo(expected.body());
            } else {
                assertThat(answer.body()).contains("\"code\":\"webhook/bad-body\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&b=2&a=3&c", "a=%", "a=%zz", "a=100%&b=1", "a=%C3", "a=%00"})
    void parametersThenAreThoseOfJetty(String form) {
        HttpResponse<String> expected = send(jetty, "/open/parameters", form, FORM);
        HttpResponse<String> answer = send(jetty, "/hooks/partner/parameters", form, FORM);

        assertThat(answer.statusCode()).as(expected.body()).isEqualTo(expected.statusCode());
    }

    @Test
    void formWhenTooLongForJettyThen400() {
        assertThat(send(jetty, "/hooks/partner/parameters", many(1000), FORM).statusCode())
                .isEqualTo(200);
        assertThat(send(jetty, "/hooks/partner/parameters", many(1001), FORM).statusCode())
                .isEqualTo(400);
    }

    /** Each takes another way from the failure to the response. */
    @ParameterizedTest
    @ValueSource(strings = {"/hooks/partner/bound", "/hooks/partner/servlet"})
    void formWhenMalformedThenBadBody(String path) {
        for (WebhookHost host : new WebhookHost[] {tomcat, jetty}) {
            HttpResponse<String> answer = send(host, path, "payload=100%", FORM);

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            assertThat(answer.body())
                    .contains("\"code\":\"webhook/bad-body\"", "has a percent sign without two hexadecimal digits")
                    .doesNotContain("100");
        }
    }

    /** Spring MVC asks for the parts itself. */
    @ParameterizedTest
    @ValueSource(strings = {"/hooks/partner/parameters", "/hooks/partner/parts"})
    void bodyWhenMultipartIsNoFormThenUnsupported(String path) {
        for (WebhookHost host : new WebhookHost[] {tomcat, jetty}) {
            HttpResponse<String> answer = send(
                    host,
                    path,
                    "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n",
                    "multipart/mixed; boundary=x");

            assertThat(answer.statusCode()).isEqualTo(415);
            assertThat(answer.body()).contains("\"code\":\"webhook/unsupported-media-type\"");
        }
    }

    private static String many(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i + "=").collect(Collectors.joining("&"));
    }

    private static HttpResponse<String> send(WebhookHost host, String path, String form, String type) {
        byte[] body = form.getBytes(ISO_8859_1);
        HttpRequest.Builder request = host.post(path, body).header("Content-Type", type);
        WebhookSigner.builder()
                .algorithm("hmac-sha3-512")
                .key("v1", WebhookHost.SECRET)
                .build()
                .headers(body)
                .forEach(request::header);
        return host.send(request);
    }

    @RestController
    static class Parameters {

        @PostMapping({"/open/parameters", "/hooks/partner/parameters"})
        String parameters(HttpServletRequest request) {
            Map<String, String> parameters = new TreeMap<>();
            request.getParameterMap().forEach((name, values) -> parameters.put(name, Arrays.toString(values)));
            return parameters.toString();
        }

        @PostMapping("/hooks/partner/bound")
        String bound(@RequestParam("payload") String payload) {
            return payload;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(MultipartAutoConfiguration.class)
    @Import(Parameters.class)
    static class Handlers {

        @Bean
        ServletRegistrationBean<HttpServlet> parameters() {
            return servlet("/hooks/partner/servlet", request -> request.getParameter("payload"));
        }

        @Bean
        ServletRegistrationBean<HttpServlet> parts() {
            return servlet("/hooks/partner/parts", HttpServletRequest::getParts);
        }

        private static ServletRegistrationBean<HttpServlet> servlet(String path, Reading reading) {
            HttpServlet servlet = new HttpServlet() {
                @Override
                protected void doPost(HttpServletRequest request, HttpServletResponse response) {
                    try {
                        reading.read(request);
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }
            };
            ServletRegistrationBean<HttpServlet> registration = new ServletRegistrationBean<>(servlet, path);
            registration.setName(path);
            return registration;
        }
    }

    private interface Reading {

        @SuppressWarnings("UnusedReturnValue")
        Object read(HttpServletRequest request) throws Exception;
    }

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnTomcat
    @Import(Handlers.class)
    static class OnTomcat {}

    @Configuration(proxyBeanMethods = false)
    @WebhookHost.OnJetty
    @Import(Handlers.class)
    static class OnJetty {}
}
