package io.credential.webhook.delivery.internal.history;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditEvent;
import io.credential.audit.internal.AuditTrail;
import io.credential.seal.internal.Keyring;
import io.credential.seal.internal.RowMac;
import io.credential.testing.MutableClock;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.DispatcherRows;

/** Jobs of nodes with one database and clock, which select pages of two deliveries and retry batches of two. */
final class BulkRetryJobs {

    static final int ALL_STEPS = 1000;
    static final RowMac MACS = new RowMac(Keyring.generate(new SecureRandom()));
    static final DeliveryQuery ALL = DeliveryQuery.all();
    static final DeliveryQuery DEAD_OF_SHOP = ALL.withEndpoint("shop").withStatus(DeliveryStatus.DEAD);

    final DispatcherRows rows;
    final MutableClock clock = new MutableClock(DispatcherRows.NEW_YEAR.plus(Duration.ofDays(1)));
    final List<AuditEvent> audited = new ArrayList<>();
    final BulkRetries retries;
    final BulkRetries otherNode;

    BulkRetryJobs(TestDatabase test) {
        this.rows = new DispatcherRows(test);
        this.retries = node();
        this.otherNode = node();
    }

    BulkRetries node() {
        return node(() -> {});
    }

    BulkRetries node(Runnable onRetried) {
        return node(onRetried, () -> "operator");
    }

    BulkRetries node(Runnable onRetried, Supplier<@Nullable String> actor) {
        AuditTrail audit = new AuditTrail(audited::add, () -> null, clock, "webhook-job", true, true);
        return new BulkRetries(rows.context(clock), MACS, onRetried, new BulkRetryAudit(audit, actor), 2, 2);
    }

    List<String> deliveries(int count, String endpointId, DeliveryStatus status) {
        return Stream.generate(() -> rows.delivery(endpointId, status))
                .limit(count)
                .toList();
    }

    /** Continues the only job until it has selected everything. */
    void select() {
        while (!rows.ids("job_id", "{jobs} WHERE state = 'selecting'").isEmpty()) {
            retries.continueJobs(1);
        }
    }

    BulkJob job(BulkJob job) {
        return retries.find(job.id()).orElseThrow();
    }

    List<String> items() {
        return rows.ids("delivery_id", "{job_items}");
    }

    List<String> retried() {
        return rows.ids("delivery_id", "{deliveries} WHERE redeliveries = 1 AND status = 'pending'");
    }
}
