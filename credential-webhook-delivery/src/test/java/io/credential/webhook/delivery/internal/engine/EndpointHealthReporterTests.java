package io.credential.webhook.delivery.internal.engine;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;

import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherTestBase;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;

import static org.assertj.core.api.Assertions.assertThat;

/** What the log says of endpoints that fail. */
@BothDatabases
class EndpointHealthReporterTests extends DispatcherTestBase {

    @AutoClose
    private final CapturedLog logged = CapturedLog.of(EndpointHealthReporter.class);

    EndpointHealthReporterTests(TestDatabase test) {
        super(test);
    }

    @Test
    void attemptedWhenFailingAndRecoveredThenOneLineEach() {
        fixture.receiver.answeringInTurn("/shop", 500, 500, 500, 200);
        fixture.endpoint("shop", "/shop");
        fixture.endpoint("other", "/other");

        for (int i = 0; i < 5; i++) {
            fixture.dispatcher.dispatch("e", "{}");
        }

        assertThat(logged.events()).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
        assertThat(logged.lines().get(0)).contains("endpoint shop", "HTTP 500");
        assertThat(logged.lines().get(1)).contains("endpoint shop", "again");
    }

    @Test
    void attemptedWhenAnEndpointAlternatesThenOncePerMinute() {
        EndpointHealthReporter health = new EndpointHealthReporter(fixture.clock);
        ClaimedDelivery delivery = delivery();
        for (int i = 0; i < 50; i++) {
            health.attempted(delivery, "HTTP 500");
            health.attempted(delivery, null);
        }
        assertThat(logged.events()).hasSize(2);

        fixture.clock.advance(Duration.ofMinutes(1));
        health.attempted(delivery, "HTTP 500");

        assertThat(logged.events()).hasSize(3);
    }

    @Test
    void attemptedWhenTheErrorHasLineBreaksThenOneLine() {
        new EndpointHealthReporter(fixture.clock).attempted(delivery(), "oh\r\nno");

        assertThat(logged.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).doesNotContain("\n", "\r"));
    }

    private static ClaimedDelivery delivery() {
        Claim claim = new Claim(1, "owner", 0, 0);
        return new ClaimedDelivery(
                "delivery", "event", "shop", "e", 1, 0, 0, 0, claim, false, null, null, 0, null, null);
    }
}
