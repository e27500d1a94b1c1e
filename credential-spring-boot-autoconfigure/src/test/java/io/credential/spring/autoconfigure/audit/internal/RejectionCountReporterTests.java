package io.credential.spring.autoconfigure.audit.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class RejectionCountReporterTests {

    private final CountDownLatch twice = new CountDownLatch(2);

    @Test
    void startWhenReportWasAddedThenRunsAgainAndAgain() {
        RejectionCountReporter reporter = new RejectionCountReporter(Duration.ofMillis(1));
        reporter.add(twice::countDown);

        reporter.start();

        Patience.await(twice);
        reporter.stop();
    }

    @Test
    void addWhenRunningThenRunsAgainAndAgain() {
        RejectionCountReporter reporter = new RejectionCountReporter(Duration.ofMillis(1));
        reporter.start();

        reporter.add(twice::countDown);

        Patience.await(twice);
        reporter.stop();
    }

    @Test
    void stopWhenIntervalIsNotOverThenReportsOnce() {
        AtomicInteger reports = new AtomicInteger();
        RejectionCountReporter reporter = new RejectionCountReporter();
        reporter.start();
        reporter.add(reports::incrementAndGet);

        reporter.stop();

        assertThat(reports).hasValue(1);
        assertThat(reporter.isRunning()).isFalse();
    }

    @Test
    void destroyWhenNeverStartedThenReports() {
        AtomicInteger reports = new AtomicInteger();
        RejectionCountReporter reporter = new RejectionCountReporter();
        reporter.add(reports::incrementAndGet);

        reporter.destroy();

        assertThat(reports).hasValue(1);
    }
}
