package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.web.filter.ForwardedHeaderFilter;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.ratelimit.RateLimit;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/** Keys that arrive over plain HTTP or HTTPS, as a proxy reports it. */
class HttpsRequirementTests {

    private static final String REGISTRIES = "credential.api-keys.registries.";
    private static final String SECRET = "00112233445566778899aabbccddeeff";

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.api-keys.accept=live,quiet",
                REGISTRIES + "live.prefix=bk",
                REGISTRIES + "quiet.audit-failures=false");
        host = application.context().getBean(Host.class);
        application.registries().issue("live", "orders:read").issue("quiet", "orders:read");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    /** Ends the times in which failures are only counted. */
    @BeforeEach
    void waitForADay() {
        host.clock.advance(Duration.ofDays(1));
        AuditQueues.drain(application.context());
        host.audited.clear();
    }

    private static HttpResponse<String> get(HostApplication application, String token, String protocol) {
        return application.get(
                "/orders", "X-API-Key", token, "X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", protocol);
    }

    private static HttpResponse<String> getOverHttp(String token) {
        return get(application, token, "http");
    }

    private static List<AuditEvent> audited() {
        AuditQueues.drain(application.context());
        return host.audited;
    }

    @Test
    void getWhenOverPlainHttpThenRefusedWithoutRedirect() {
        HttpResponse<String> response = getOverHttp(token("live"));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("Location")).isEmpty();
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(response.body())
                .isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
                        + "\"detail\":\"This API key was sent over plain HTTP, where others can read it;"
                        + " replace the key, and use HTTPS\","
                        + "\"code\":\"api-key/https-required\"}");
    }

    @Test
    void getWhenOverPlainHttpThenKeyIsAudited() {
        getOverHttp(token("live"));

        assertThat(audited()).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.authorize");
            assertThat(event.outcome().text()).isEqualTo("failure");
            assertThat(event.reason()).isEqualTo("plain-http");
            assertThat(event.resourceId()).isEqualTo("0011223344556677");
            assertThat(event.attributes()).isEqualTo(Map.of("namespace", "live"));
        });
    }

    @Test
    void getWhenOverPlainHttpThenKeyIdIsLogged() {
        try (CapturedLog logged = CapturedLog.of(RejectedKeyLog.class)) {
            getOverHttp(token("live"));

            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("over plain HTTP", "id=0011223344556677 address=203.0.113.9 request=GET /orders")
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void getWhenRegistryAuditsNoFailuresThenNotAudited() {
        assertThat(getOverHttp(token("quiet")).statusCode()).isEqualTo(403);

        assertThat(audited()).isEmpty();
    }

    /** Otherwise anyone could make an operator revoke the keys of others. */
    @Test
    void getWhenKeyIsInvalidThenNotReportedAsExposed() {
        String wrong = token("live").replace(SECRET, SECRET.replace('f', '0'));

        HttpResponse<String> response = getOverHttp(wrong);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.body()).contains("\"code\":\"api-key/unauthorized\"");
        assertThat(audited()).isEmpty();
    }

    @Test
    void getWhenRefusedThenNotCountedAgainstRateLimit() {
        application.registries().get("live").limit(new RateLimit(1, Duration.ofSeconds(60)));

        getOverHttp(token("live"));

        assertThat(get(application, token("live"), "https").statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenProxyReceivedItOverHttpsThenOk() {
        assertThat(get(application, token("quiet"), "https").statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenClientIsOnThisMachineThenOk() {
        assertThat(application.get("/orders", "X-API-Key", token("quiet")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void getWhenThereIsNoKeyThenLeftToOthers() {
        String user = Base64.getEncoder().encodeToString("user:password".getBytes(StandardCharsets.UTF_8));

        HttpResponse<String> response = application.get(
                "/name",
                "Authorization",
                "Basic " + user,
                "X-Forwarded-For",
                "203.0.113.9",
                "X-Forwarded-Proto",
                "http");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("user");
    }

    @Test
    void getWhenHttpsIsNotRequiredThenOk() {
        try (HostApplication lenient = HostApplication.start(
                Host.class,
                REGISTRIES + "live.prefix=bk",
                "credential.api-keys.accept=live",
                "credential.api-keys.require-https=false")) {
            lenient.registries().issue("live", "orders:read");

            assertThat(get(lenient, token("live"), "http").statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.1", "::1", "0:0:0:0:0:0:0:1", "[::1]", "::ffff:127.0.0.1"})
    void isLoopbackWhenAddressIsOfThisMachineThenTrue(String address) {
        assertThat(HttpsRequirement.isLoopback(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "unknown",
                "localhost",
                "10.0.0.1",
                "128.0.0.1",
                "0.0.0.0",
                "::",
                "::2",
                "2001:db8::1",
                "::ffff:10.0.0.1",
                "127.0.0.1.example.org",
                "[",
                "[]"
            })
    void isLoopbackWhenAddressIsAnotherThenFalse(String address) {
        assertThat(HttpsRequirement.isLoopback(address)).isFalse();
    }

    @Test
    void isLoopbackWhenAddressIsUnknownThenFalse() {
        assertThat(HttpsRequirement.isLoopback(null)).isFalse();
    }

    @Test
    void isFromThisMachineWhenSentToItsOwnAddressThenTrue() {
        assertThat(HttpsRequirement.isFromThisMachine("10.0.0.1", "10.0.0.1")).isTrue();
        assertThat(HttpsRequirement.isFromThisMachine("127.0.0.1", "127.0.0.1")).isTrue();
        assertThat(HttpsRequirement.isFromThisMachine("10.0.0.2", "10.0.0.1")).isFalse();
        assertThat(HttpsRequirement.isFromThisMachine(null, null)).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        private final MutableClock clock = MutableClock.atNewYear();
        private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live", "quiet");
        }

        @Bean
        @CredentialClock
        MutableClock clock() {
            return clock;
        }

        @Bean
        AuditSink auditSink() {
            return audited::add;
        }

        /** What {@code server.forward-headers-strategy=framework} registers. */
        @Bean
        FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
            FilterRegistrationBean<ForwardedHeaderFilter> filter =
                    new FilterRegistrationBean<>(new ForwardedHeaderFilter());
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }
    }
}
