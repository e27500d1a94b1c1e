package io.credential.webhook.delivery.internal.history;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import ch.qos.logback.classic.Level;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.testing.BothDatabases;
import io.credential.testing.CapturedLog;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever can write rows of jobs, but lacks the keyring, must not make a node audit something that nobody did. */
@BothDatabases
class ForgedBulkRetryTests {

    private static final int ALL_STEPS = 1000;

    private final DispatcherRows rows;
    private final MutableClock clock = new MutableClock(DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1)));
    private final List<AuditEvent> audited = new ArrayList<>();
    private final Keyring keyring = Keyring.generate(new SecureRandom());
    private final BulkRetries retries;

    ForgedBulkRetryTests(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.retries = node(keyring);
    }

    @BeforeEach
    void storeADeadDelivery() {
        rows.delivery("shop", DeliveryStatus.DEAD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "started_by = 'alice'",
                "started_by = NULL",
                "endpoint_id = NULL",
                "created_before = created_before + 1",
                "selected = 7",
                "state = 'retrying'",
                "row_mac = 'm1.k1.00'",
                "job_id = '00000000000000000000000000000000'"
            })
    void continueWhenRowWasChangedThenNothingIsDone(String change) {
        retries.create(DeliveryQuery.all().withEndpoint("shop"));
        audited.clear();
        rows.sql("UPDATE {jobs} SET " + change).update();

        retries.continueJobs(ALL_STEPS);

        assertNothingIsRetried();
        assertThat(audited).extracting(AuditEvent::outcome).containsExactly(AuditEvent.Outcome.FAILURE);
    }

    @Test
    void continueWhenRowIsForgedThenReportedOnce() {
        BulkJob job = retries.create(DeliveryQuery.all());
        audited.clear();
        rows.sql("UPDATE {jobs} SET started_by = 'alice'").update();

        try (CapturedLog log = CapturedLog.of(FailingJobs.class)) {
            retries.continueJobs(ALL_STEPS);
            retries.continueJobs(ALL_STEPS);

            assertThat(log.lines(Level.WARN)).singleElement().asString().contains(job.id());
        }
        assertThat(audited).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("webhook.bulk-retry.finish");
            assertThat(event.reason()).isEqualTo("integrity");
            assertThat(event.resourceId()).isEqualTo(job.id());
            assertThat(event.attributes()).isEqualTo(Map.of());
        });
    }

    @Test
    void continueWhenAnotherRowIsForgedThenGoesOn() {
        BulkJob forged = retries.create(DeliveryQuery.all().withEndpoint("other"));
        rows.sql("UPDATE {jobs} SET started_by = 'alice'").update();
        clock.advance(Duration.ofMillis(1));
        retries.create(DeliveryQuery.all());

        retries.continueJobs(ALL_STEPS);

        assertThat(rows.ids("delivery_id", "{deliveries} WHERE redeliveries = 1"))
                .hasSize(1);
        assertThat(rows.ids("job_id", "{jobs} WHERE finished_at IS NULL")).containsExactly(forged.id());
    }

    @Test
    void continueWhenNodeHasAnotherKeyringThenNothingIsDone() {
        BulkJob job = retries.create(DeliveryQuery.all());

        node(Keyring.generate(new SecureRandom())).continueJobs(ALL_STEPS);
        assertNothingIsRetried();

        retries.continueJobs(ALL_STEPS);
        assertThat(retries.find(job.id()))
                .get()
                .satisfies(found -> assertThat(found.done()).isEqualTo(1));
    }

    private void assertNothingIsRetried() {
        assertThat(rows.ids("delivery_id", "{deliveries} WHERE redeliveries > 0"))
                .isEmpty();
    }

    private BulkRetries node(Keyring keys) {
        AuditTrail audit = new AuditTrail(audited::add, () -> null, clock, "webhook-job", true, true);
        return new BulkRetries(
                rows.context(clock), new RowMac(keys), () -> {}, new BulkRetryAudit(audit, () -> "operator"), 2, 2);
    }
}
