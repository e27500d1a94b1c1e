package io.credential.webhook.delivery.engine;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.DispatcherFixture;
import io.credential.webhook.delivery.queue.Claim;
import io.credential.webhook.delivery.queue.ClaimedDelivery;

import static org.assertj.core.api.Assertions.assertThat;

/** What the log says of endpoints that fail. */
@BothDatabases
class EndpointHealthReporterTests {

    private final DispatcherFixture fixture;
    private final Logger logger = (Logger) LoggerFactory.getLogger(EndpointHealthReporter.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    EndpointHealthReporterTests(TestDatabase test) {
        this.fixture = new DispatcherFixture(test);
    }

    @BeforeEach
    void listenToTheLog() {
        logged.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(logged);
    }

    @AfterEach
    void close() {
        logger.detachAppender(logged);
        logger.setLevel(null);
        fixture.close();
    }

    @Test
    void attemptedWhenFailingAndRecoveredThenOneLineEach() {
        fixture.receiver.answeringInTurn("/shop", 500, 500, 500, 200);
        fixture.endpoint("shop", "/shop");
        fixture.endpoint("other", "/other");

        for (int i = 0; i < 5; i++) {
            fixture.dispatcher.dispatch("e", "{}");
        }

        assertThat(logged.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
        assertThat(lines().get(0)).contains("endpoint shop", "HTTP 500");
        assertThat(lines().get(1)).contains("endpoint shop", "again");
    }

    @Test
    void attemptedWhenAnEndpointAlternatesThenOncePerMinute() {
        EndpointHealthReporter health = new EndpointHealthReporter(fixture.clock);
        ClaimedDelivery delivery = delivery();
        for (int i = 0; i < 50; i++) {
            health.attempted(delivery, "HTTP 500");
            health.attempted(delivery, null);
        }
        assertThat(logged.list).hasSize(2);

        fixture.clock.advance(Duration.ofMinutes(1));
        health.attempted(delivery, "HTTP 500");

        assertThat(logged.list).hasSize(3);
    }

    @Test
    void attemptedWhenTheErrorHasLineBreaksThenOneLine() {
        new EndpointHealthReporter(fixture.clock).attempted(delivery(), "oh\r\nno");

        assertThat(lines()).singleElement().satisfies(line -> assertThat(line).doesNotContain("\n", "\r"));
    }

    private List<String> lines() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static ClaimedDelivery delivery() {
        Claim claim = new Claim(1, "owner", 0, 0);
        return new ClaimedDelivery("delivery", "event", "shop", "e", 1, 0, 0, 0, claim, null, null, 0, null);
    }
}
