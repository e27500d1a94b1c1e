package io.credential.spring.autoconfigure.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.audit.internal.LoggingAuditSink;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

class AuditAutoConfigurationTests {

    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");

    @AutoClose
    private final CapturedLog log = CapturedLog.of("io.credential.audit");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(AuditAutoConfiguration.class))
            .withPropertyValues("credential.api-keys.registries.live.prefix=bk");

    @Test
    void recordWhenSuccessThenOneLineAtInfo() {
        runner.run(context -> {
            context.getBean(AuditSink.class).record(success(Map.of("namespace", "live", "count", 3)));
            assertThat(log.events()).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.INFO);
                assertThat(line.getFormattedMessage())
                        .isEqualTo("event=apikey.issue outcome=success actor=admin kind=api-key id=0011"
                                + " time=2026-01-01T00:00:00Z count=3 namespace=live");
            });
        });
    }

    @Test
    void recordWhenVerifySucceedsThenAtDebugAndPublished() {
        List<AuditApplicationEvent> published = new ArrayList<>();
        AuditEvent verified =
                new AuditEvent("apikey.verify", Outcome.SUCCESS, null, "admin", "api-key", "0011", TIME, Map.of());
        runner.withBean(AuditListener.class, () -> new AuditListener(published)).run(context -> {
            context.getBean(AuditSink.class).record(verified);
            assertThat(log.events()).isEmpty();
            log.level(Level.DEBUG);
            context.getBean(AuditSink.class).record(verified);
            assertThat(log.events())
                    .singleElement()
                    .satisfies(line -> assertThat(line.getLevel()).isEqualTo(Level.DEBUG));
            assertThat(published).hasSize(2);
        });
    }

    @Test
    void recordWhenFailureThenOneLineAtWarnWithReason() {
        runner.run(context -> {
            context.getBean(AuditSink.class)
                    .record(new AuditEvent(
                            "apikey.verify", Outcome.FAILURE, "revoked", null, "api-key", "0011", TIME, Map.of()));
            assertThat(log.events()).singleElement().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage())
                        .isEqualTo("event=apikey.verify outcome=failure reason=revoked kind=api-key id=0011"
                                + " time=2026-01-01T00:00:00Z");
            });
        });
    }

    @Test
    void recordWhenValueForgesLineOrPairThenEscaped() {
        runner.run(context -> {
            context.getBean(AuditSink.class)
                    .record(success(Map.of("note", "x outcome=failure\r\nevent=\"forged\"\\\u2028\u001b[2J{}")));
            assertThat(log.events())
                    .singleElement()
                    .satisfies(
                            line -> assertThat(line.getFormattedMessage())
                                    .endsWith(
                                            " note=\"x outcome=failure\\u000d\\u000aevent=\\\"forged\\\"\\\\\\u2028\\u001b[2J{}\""));
        });
    }

    @Test
    void recordWhenValueIsLongThenCut() {
        runner.run(context -> {
            context.getBean(AuditSink.class).record(success(Map.of("note", "x".repeat(9000))));
            assertThat(log.events())
                    .singleElement()
                    .satisfies(line ->
                            assertThat(line.getFormattedMessage()).endsWith(" note=\"" + "x".repeat(8192) + "...\""));
        });
    }

    @Test
    void recordWhenLoggerIsSilencedThenNoLine() {
        log.level(Level.WARN);
        runner.run(context -> {
            context.getBean(AuditSink.class).record(success(Map.of()));
            assertThat(log.events()).isEmpty();
        });
    }

    @Test
    void recordWhenActuatorIsPresentThenAlsoPublishes() {
        List<AuditApplicationEvent> published = new ArrayList<>();
        runner.withBean(AuditListener.class, () -> new AuditListener(published)).run(context -> {
            context.getBean(AuditSink.class).record(success(Map.of("namespace", "live")));
            assertThat(log.events()).hasSize(1);
            assertThat(published).singleElement().satisfies(event -> {
                assertThat(event.getAuditEvent().getTimestamp()).isEqualTo(TIME);
                assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("admin");
                assertThat(event.getAuditEvent().getType()).isEqualTo("apikey.issue");
                assertThat(event.getAuditEvent().getData())
                        .containsOnly(
                                entry("outcome", "success"),
                                entry("resourceKind", "api-key"),
                                entry("resourceId", "0011"),
                                entry("namespace", "live"));
            });
        });
    }

    @Test
    void recordWhenEventHasNoActorThenPublishedAsUnknown() {
        List<AuditApplicationEvent> published = new ArrayList<>();
        runner.withBean(AuditListener.class, () -> new AuditListener(published)).run(context -> {
            context.getBean(AuditSink.class)
                    .record(new AuditEvent(
                            "apikey.verify", Outcome.FAILURE, "unknown", null, "api-key", null, TIME, Map.of()));
            assertThat(published).singleElement().satisfies(event -> {
                assertThat(event.getAuditEvent().getPrincipal()).isEqualTo("<unknown>");
                assertThat(event.getAuditEvent().getData())
                        .containsEntry("reason", "unknown")
                        .doesNotContainKey("resourceId");
            });
        });
    }

    @Test
    void recordWhenActuatorIsAbsentThenOnlyLogs() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> {
                    assertThat(context.getBean(AuditSink.class)).isInstanceOf(LoggingAuditSink.class);
                    context.getBean(AuditSink.class).record(success(Map.of()));
                    assertThat(log.events()).hasSize(1);
                });
    }

    @Test
    void auditSinkWhenApplicationHasOneThenIsUsed() {
        AuditSink own = AuditSink.none();
        runner.withBean(AuditSink.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(AuditSink.class);
            assertThat(context.getBean(AuditSink.class)).isSameAs(own);
        });
    }

    private static AuditEvent success(Map<String, Object> attributes) {
        return new AuditEvent(
                "apikey.issue",
                Outcome.SUCCESS,
                null,
                "admin",
                "api-key",
                "0011",
                TIME,
                new LinkedHashMap<>(attributes));
    }

    private record AuditListener(List<AuditApplicationEvent> events)
            implements ApplicationListener<AuditApplicationEvent> {

        @Override
        public void onApplicationEvent(AuditApplicationEvent event) {
            events.add(event);
        }
    }
}
