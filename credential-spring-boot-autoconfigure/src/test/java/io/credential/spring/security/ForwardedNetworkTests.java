package io.credential.spring.security;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What forwarded headers do to keys with networks, on Tomcats that trust no proxy or every sender: only a server applies its
 * valve or filter. {@link NetworkRequirementTests} has one that trusts its proxy.
 */
class ForwardedNetworkTests {

    private static final String INSIDE = "192.0.2.7";
    private static final String OUTSIDE = "203.0.113.9";

    private static HostApplication start(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("credential.api-keys.accept=live");
        HostApplication application =
                HostApplication.start(NetworkRequirementTests.Host.class, all.toArray(String[]::new));
        application
                .registries()
                .get("live")
                .put(token("live"), FakeRegistries.restricted("live", List.of("192.0.2.0/24"), "orders:read"));
        return application;
    }

    /** The scheme is forwarded too, because a key that was sent over plain HTTP is refused before its networks matter. */
    private static void assertAllowed(boolean allowed, HostApplication application, String header, String value) {
        HttpResponse<String> response =
                application.get("/orders", "X-API-Key", token("live"), header, value, "X-Forwarded-Proto", "https");

        assertThat(response.statusCode()).as(header + ": " + value).isEqualTo(allowed ? 200 : 403);
        if (!allowed) {
            assertThat(response.body()).contains("api-key/network-not-allowed");
        }
    }

    private static void assertForgedHeadersAreNotRead(HostApplication application) {
        assertAllowed(false, application, "X-Forwarded-For", INSIDE);
        assertAllowed(false, application, "X-Forwarded-For", INSIDE + ", 127.0.0.1");
        assertAllowed(false, application, "X-Forwarded-For", "::ffff:" + INSIDE);
        assertAllowed(false, application, "Forwarded", "for=" + INSIDE + ";proto=https");
        assertAllowed(false, application, "X-Real-IP", INSIDE);
    }

    @Test
    void getWhenStrategyIsNoneThenHeadersAreNotRead() {
        try (HostApplication application = start("server.forward-headers-strategy=none")) {
            assertForgedHeadersAreNotRead(application);
        }
    }

    @Test
    void getWhenProxyIsNotTrustedThenHeadersAreNotRead() {
        try (HostApplication application = start(
                "server.forward-headers-strategy=native", "server.tomcat.remoteip.internal-proxies=198.51.100.1/32")) {
            assertForgedHeadersAreNotRead(application);
        }
    }

    /** The documentation warns of this: whoever reaches the server can choose the address. */
    @Test
    void getWhenStrategyIsFrameworkThenFirstAddressCounts() {
        try (HostApplication application = start("server.forward-headers-strategy=framework")) {
            assertAllowed(true, application, "X-Forwarded-For", INSIDE + ", " + OUTSIDE);
            assertAllowed(false, application, "X-Forwarded-For", OUTSIDE + ", " + INSIDE);
            assertAllowed(true, application, "X-Forwarded-For", "::ffff:" + INSIDE);
            assertAllowed(false, application, "X-Forwarded-For", "fe80::1%eth0");
            assertAllowed(true, application, "Forwarded", "for=" + INSIDE + ";proto=https");
            assertAllowed(false, application, "Forwarded", "for=" + OUTSIDE + ";proto=https");
        }
    }
}
