package io.credential.spring.security;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;
import org.springframework.security.authentication.event.AuthenticationFailureBadCredentialsEvent;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.spring.autoconfigure.audit.AuditQueues;

import static io.credential.spring.security.FakeRegistries.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Who guards an application hears of rejections that no registry has seen. */
class RejectionReportTests {

    private static HostApplication application;
    private static Host host;

    @BeforeAll
    static void start() {
        application = HostApplication.start(
                Host.class,
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.test.prefix=bk",
                "credential.api-keys.registries.quiet.audit-failures=false",
                "credential.api-keys.accept=live");
        host = application.context().getBean(Host.class);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void forget() {
        host.audited.clear();
        host.published.clear();
    }

    private static void assertRejected(String... headers) {
        assertThat(application.get("/name", headers).statusCode()).isEqualTo(401);
        AuditQueues.drain(application.context());
        assertThat(host.published).hasSize(1).allSatisfy(event -> {
            assertThat(event).isInstanceOf(AuthenticationFailureBadCredentialsEvent.class);
            assertThat(event.getAuthentication().getCredentials()).isNull();
        });
        assertThat(host.audited.toString()).doesNotContain("00112233445566778899aabbccddeeff");
    }

    private static List<String> audited() {
        List<String> lines = new ArrayList<>();
        for (AuditEvent event : host.audited) {
            lines.add(event.name() + " " + event.outcome().text() + " " + event.reason());
        }
        return lines;
    }

    @Test
    void rejectionWhenRegistryIsNotAcceptedThenAudited() {
        assertRejected("X-API-Key", token("test"));

        assertThat(audited()).containsExactly("apikey.verify failure not-accepted");
        assertThat(host.audited.get(0).attributes()).isEqualTo(Map.of("namespace", "test"));
        assertThat(host.audited.get(0).resourceKind()).isEqualTo("api-key");
    }

    @Test
    void rejectionWhenRegistryAuditsNoFailuresThenUnaudited() {
        // Its own application, because another rejection for the same reason would be counted, not audited, in any
        // case.
        try (HostApplication fresh = HostApplication.start(
                Host.class,
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.quiet.audit-failures=false",
                "credential.api-keys.accept=live")) {
            assertThat(fresh.get("/name", "X-API-Key", token("quiet")).statusCode())
                    .isEqualTo(401);
            AuditQueues.drain(fresh.context());
            assertThat(fresh.context().getBean(Host.class).audited).isEmpty();
        }
    }

    @Test
    void verifiedKeyWhenFailuresUnauditedThenNothingAudited() {
        List<AuditEvent> events = new ArrayList<>();
        List<String> counted = new ArrayList<>();
        RejectionReport report = new RejectionReport(
                new AuditTrail(events::add, () -> null, InstantSource.system(), "api-key", true, true),
                new DefaultAuthenticationEventPublisher(),
                Set.of("live"),
                Set.of("quiet"),
                (namespace, id, cause) -> counted.add(namespace + " " + cause));

        report.rateLimited(FakeRegistries.key("quiet"));
        report.plainHttp(FakeRegistries.key("quiet"));
        report.ticketOverPlainHttp(FakeRegistries.key("quiet"));
        report.ticketNotAccepted("quiet");
        assertThat(events).isEmpty();

        report.rateLimited(FakeRegistries.key("live"));
        assertThat(events).hasSize(1);
        assertThat(counted).as("audited or not").containsExactly("quiet RATE", "live RATE");
    }

    @Test
    void rejectionWhenTwoCredentialsThenAuditedAsAmbiguous() {
        assertRejected("X-API-Key", token("live"), "Authorization", "Bearer something");

        assertThat(audited()).containsExactly("apikey.verify failure ambiguous");
    }

    @Test
    void rejectionWhenKeyIsTooLongThenAudited() {
        assertRejected("X-API-Key", "x".repeat(600));

        assertThat(audited()).containsExactly("apikey.verify failure too-long");
        assertThat(host.audited).singleElement().satisfies(event -> {
            assertThat(event.origin().clientAddress()).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
            assertThat(event.origin().userAgent()).startsWith("Java-http-client/");
        });
    }

    @Test
    void rejectionWhenRegistryHasSeenKeyThenLeftToRegistry() {
        assertRejected("X-API-Key", token("live"));

        assertThat(audited()).isEmpty();
    }

    @Test
    void rejectionWhenAuditIsOffThenNotAudited() {
        try (HostApplication silent = HostApplication.start(
                Host.class,
                "credential.api-keys.registries.live.prefix=bk",
                "credential.api-keys.registries.quiet.audit-failures=false",
                "credential.api-keys.accept=quiet")) {
            assertThat(silent.get("/name", "X-API-Key", "x".repeat(600)).statusCode())
                    .isEqualTo(401);
            AuditQueues.drain(silent.context());
            assertThat(silent.context().getBean(Host.class).audited).isEmpty();
        }
    }

    @Test
    void stopWhenRejectionsWereCountedThenReported() {
        List<AuditEvent> events;
        try (HostApplication stopping = HostApplication.start(
                Host.class, "credential.api-keys.registries.live.prefix=bk", "credential.api-keys.accept=live")) {
            events = stopping.context().getBean(Host.class).audited;
            for (int i = 0; i < 3; i++) {
                stopping.get("/name", "X-API-Key", token("test"));
            }
            AuditQueues.drain(stopping.context());
            assertThat(events).hasSize(1);
        }

        assertThat(events)
                .hasSize(2)
                .last()
                .satisfies(count -> assertThat(count.attributes()).containsEntry("count", 2L));
    }

    @Test
    void registriesWhenNoneIsNamedThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ApiKeyConfigurer.apiKeys().registries())
                .withMessageContaining("at least one registry");
    }

    @Configuration(proxyBeanMethods = false)
    @HostApplication.Starters
    @Import(OrdersController.class)
    static class Host {

        private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
        private final List<AbstractAuthenticationFailureEvent> published = new CopyOnWriteArrayList<>();

        @Bean
        FakeRegistries registries() {
            return new FakeRegistries("live", "test", "quiet");
        }

        @Bean
        AuditSink auditSink() {
            return audited::add;
        }

        @EventListener
        void record(AbstractAuthenticationFailureEvent event) {
            published.add(event);
        }
    }
}
