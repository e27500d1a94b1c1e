package io.credential.spring.security;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.web.filter.ForwardedHeaderFilter;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKey;
import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.ratelimit.RateLimit;
import io.credential.spring.autoconfigure.CredentialClock;
import io.credential.spring.autoconfigure.audit.AuditQueues;
import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Keys that may be used only from some networks, on a Tomcat behind a trusted proxy, and without a server. */
class NetworkRequirementTests {

    private static final List<String> NETWORKS = List.of("192.0.2.0/24", "2001:db8::/32");
    private static final String INSIDE = "192.0.2.7";
    private static final String OUTSIDE = "203.0.113.9";

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "server.forward-headers-strategy=native", // trusts the proxy on this machine
                "credential.api-keys.accept=live,quiet",
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.quiet.audit-failures=false");
        host = application.context().getBean(Host.class);
        for (String namespace : List.of("live", "quiet")) {
            application
                    .registries()
                    .get(namespace)
                    .put(token(namespace), FakeRegistries.restricted(namespace, NETWORKS, "orders:read"));
        }
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

    private static HttpResponse<String> getFrom(String forwardedFor, String namespace) {
        return application.get(
                "/orders",
                "X-API-Key",
                token(namespace),
                "X-Forwarded-For",
                forwardedFor,
                "X-Forwarded-Proto",
                "https");
    }

    private static List<AuditEvent> audited() {
        AuditQueues.drain(application.context());
        return host.audited;
    }

    @ParameterizedTest
    @ValueSource(strings = {INSIDE, "2001:db8::1", "::ffff:192.0.2.7", INSIDE + ":50123"})
    void getWhenNetworkIsAllowedThenOk(String address) {
        assertThat(getFrom(address, "live").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::ffff:" + OUTSIDE, "2001:db8::1%eth0", "fe80::1%eth0", "192.0.2.7%eth0"})
    void getWhenAddressIsMappedOrHasAZoneThenForbidden(String address) {
        assertThat(getFrom(address, "live").body()).contains("api-key/network-not-allowed");
    }

    @Test
    void getWhenNetworkIsNotAllowedThenForbidden() {
        HttpResponse<String> response = getFrom(OUTSIDE, "live");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(response.body())
                .isEqualTo("{\"title\":\"Forbidden\",\"status\":403,"
                        + "\"detail\":\"This API key does not allow the network of this client\","
                        + "\"code\":\"api-key/network-not-allowed\"}");
    }

    /** The proxy appends the address that it sees; what the client sent stands before it. */
    @Test
    void getWhenClientForgedHeaderThenAddressOfProxyCounts() {
        assertThat(getFrom(INSIDE + ", " + OUTSIDE, "live").statusCode()).isEqualTo(403);
        assertThat(getFrom(OUTSIDE + ", " + INSIDE, "live").statusCode()).isEqualTo(200);
    }

    @Test
    void getWhenOnlyForwardedIsSentThenNotRead() {
        HttpResponse<String> response =
                application.get("/orders", "X-API-Key", token("live"), "Forwarded", "for=" + INSIDE + ";proto=https");

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("api-key/network-not-allowed");
    }

    @Test
    void getWhenNetworkIsNotAllowedThenAudited() {
        getFrom(OUTSIDE, "live");

        assertThat(audited()).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.authorize");
            assertThat(event.outcome().text()).isEqualTo("failure");
            assertThat(event.reason()).isEqualTo("network");
            assertThat(event.resourceId()).isEqualTo("0011223344556677");
            assertThat(event.attributes()).isEqualTo(Map.of("namespace", "live", "address", OUTSIDE));
        });
    }

    @Test
    void getWhenRegistryAuditsNoFailuresThenNotAudited() {
        assertThat(getFrom(OUTSIDE, "quiet").statusCode()).isEqualTo(403);

        assertThat(audited()).isEmpty();
    }

    @Test
    void getWhenNetworkIsNotAllowedThenLogged() {
        try (CapturedLog logged = CapturedLog.of(RejectedKeyLog.class)) {
            getFrom(OUTSIDE, "live");

            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("network that it does not allow", "id=0011223344556677 address=" + OUTSIDE);
        }
    }

    @Test
    void getWhenRefusedThenNotCountedAgainstRateLimit() {
        application.registries().get("quiet").limit(new RateLimit(1, Duration.ofSeconds(60)));

        getFrom(OUTSIDE, "quiet");

        assertThat(getFrom(INSIDE, "quiet").statusCode()).isEqualTo(200);
    }

    /** Otherwise, anyone could find out which networks a key allows. */
    @Test
    void getWhenKeyIsInvalidThenUnauthorized() {
        String wrong = token("live").replace("ddeeff", "ddee00");

        HttpResponse<String> response = application.get(
                "/orders", "X-API-Key", wrong, "X-Forwarded-For", OUTSIDE, "X-Forwarded-Proto", "https");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(audited()).isEmpty();
    }

    private final List<AuditEvent> reported = new ArrayList<>();
    private final List<String> counted = new ArrayList<>();

    private final NetworkRequirement requirement = new NetworkRequirement(new RejectionReport(
            new AuditTrail(reported::add, () -> null, InstantSource.system(), "api-key", true, true),
            new DefaultAuthenticationEventPublisher(),
            Set.of("live"),
            Set.of(),
            (namespace, id, cause) -> counted.add(namespace + " " + cause)));

    private final ApiKey restricted = FakeRegistries.restricted("live", NETWORKS);

    private static MockHttpServletRequest requestFrom(@Nullable String address) {
        return new MockHttpServletRequest() {

            @Override
            @SuppressWarnings("NullAway") // a container may not know it
            public String getRemoteAddr() {
                return address;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {INSIDE, "::ffff:192.0.2.7", "2001:db8:0:0:0:0:0:1", "[2001:db8::1]"})
    void checkWhenAddressIsInNetworkThenAllowed(String address) {
        assertThatCode(() -> requirement.check(requestFrom(address), restricted))
                .doesNotThrowAnyException();
        assertThat(reported).isEmpty();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                " ",
                "unknown",
                "localhost",
                OUTSIDE,
                "127.0.0.1",
                "::ffff:203.0.113.9",
                "2001:db8::1%eth0",
                "fe80::1%2",
                "192.0.2.7, 192.0.2.7",
                "192.0.2.7\n"
            })
    void checkWhenAddressIsOutsideOrUnreadableThenRefused(@Nullable String address) {
        assertThatExceptionOfType(NetworkNotAllowedException.class)
                .isThrownBy(() -> requirement.check(requestFrom(address), restricted));
        assertThat(reported)
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("network"));
        assertThat(counted).containsExactly("live NETWORK");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", OUTSIDE, "unknown"})
    void checkWhenKeyIsNotRestrictedThenAllowed(@Nullable String address) {
        assertThatCode(() -> requirement.check(requestFrom(address), FakeRegistries.key("live")))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"X-Forwarded-For, 192.0.2.7", "Forwarded, for=192.0.2.7", "X-Real-IP, 192.0.2.7"})
    void checkWhenStrategyIsNoneThenHeadersAreNotRead(String header, String value) {
        MockHttpServletRequest request = requestFrom(OUTSIDE);
        request.addHeader(header, value);

        assertThatExceptionOfType(NetworkNotAllowedException.class)
                .isThrownBy(() -> requirement.check(request, restricted));
    }

    @ParameterizedTest
    @CsvSource({
        "X-Forwarded-For, 192.0.2.7, true",
        "X-Forwarded-For, 203.0.113.9, false",
        "Forwarded, for=192.0.2.7, true",
        "Forwarded, 'for=\"[2001:db8::1]:443\"', true",
        "Forwarded, for=_hidden, false",
        "X-Real-IP, 192.0.2.7, false"
    })
    void checkWhenStrategyIsFrameworkThenItsFilterDecides(String header, String value, boolean allowed)
            throws ServletException, IOException {
        MockHttpServletRequest request = requestFrom(OUTSIDE);
        request.addHeader(header, value);
        List<Boolean> outcomes = new ArrayList<>();

        new ForwardedHeaderFilter()
                .doFilter(request, new MockHttpServletResponse(), new MockFilterChain(new HttpServlet() {
                    @Override
                    protected void service(HttpServletRequest forwarded, HttpServletResponse response) {
                        outcomes.add(isAllowed(forwarded));
                    }
                }));

        assertThat(outcomes).containsExactly(allowed);
    }

    private boolean isAllowed(HttpServletRequest request) {
        try {
            requirement.check(request, restricted);
            return true;
        } catch (NetworkNotAllowedException refused) {
            return false;
        }
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
    }
}
