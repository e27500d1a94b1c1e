package io.credential.spring.console.page;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.annotation.Transactional;

import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Retries of many deliveries. Those that start a job roll it back, so that it does not run. */
@PageTest
class BulkRetryPageTests {

    private final ConsoleVisitor operator;
    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;

    BulkRetryPageTests(
            @Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher, @Autowired DataSource dataSource) {
        this.operator = ConsoleVisitor.operator(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
        this.data = WebhookData.cleared(dispatcher, dataSource);
    }

    @Test
    void previewThenCountsWhatCanBeRetried() {
        data.register("shop", "/fails");
        data.send("shop", "order.created");
        data.claim(data.send("shop", "order.created").deliveryId());
        Delivery erased = data.send("shop", "order.created");
        dispatcher.deliveries().erasePayloads(ErasureQuery.ofEvent(erased.eventId()));

        ConsoleVisitor.Answer page = operator.open("deliveries/retry?endpoint=shop");

        assertThat(page.text())
                .contains("Deliveries to endpoint shop: 1 can be retried now.")
                .doesNotContain("at least", "to confirm");
        assertThat(page.html()).contains("action=\"../deliveries/retry?endpoint=shop\"");
    }

    @Test
    void previewWhenNothingMatchesThenHasNoForm() {
        ConsoleVisitor.Answer page = operator.open("deliveries/retry?type=never%3Csent");

        assertThat(page.text()).contains("of type never<sent: 0 can be retried now.");
        assertThat(page.html()).contains("never&lt;sent").doesNotContain("<form class=\"fields\"");
    }

    @Test
    void previewWhenFilterIsMissingOrMalformedThenRefused() {
        assertThat(operator.open("deliveries/retry").text()).contains("Choose a filter first");
        assertThat(operator.open("deliveries/retry").status()).isEqualTo(400);
        assertThat(operator.open("deliveries/retry?status=lost").status()).isEqualTo(400);
    }

    @Test
    void previewWhenExactlyAThousandThenNeedsNoTyping() {
        data.store(1000, "gone", "dead");

        assertThat(operator.open("deliveries/retry?endpoint=gone").text())
                .contains(": 1,000 can be retried now.")
                .doesNotContain("to confirm");
    }

    @Test
    void previewWhenOverAThousandThenTheNumberMustBeTyped() {
        data.store(1001, "gone", "dead");

        assertThat(operator.open("deliveries/retry?endpoint=gone").text())
                .contains(": 1,001 can be retried now.", "Type 1001 to confirm");
    }

    @Test
    void previewWhenTooManyToCountThenSaysAtLeast() {
        data.store(10_001, "gone", "dead");

        assertThat(operator.open("deliveries/retry?endpoint=gone").text())
                .contains(": at least 10,000 can be retried now.", "Type 10000 to confirm");
    }

    @Test
    @Transactional
    void retryThenStartsAJob() {
        data.store(1, "gone", "dead");

        String location =
                operator.send("deliveries/retry?endpoint=gone&status=dead").redirect();

        BulkJob job = dispatcher.deliveries().openJobs().get(0);
        assertThat(location).isEqualTo("../jobs/" + job.id() + ": The bulk retry has started.");
        assertThat(operator.open("jobs/" + job.id()).text())
                .contains(
                        "The bulk retry has started.",
                        job.id(),
                        "Stateselecting",
                        "Selected0 so far",
                        "Cancel the bulk retry");
        assertThat(operator.open("jobs/" + job.id()).html()).doesNotContain("<progress");
        assertThat(viewer.open("jobs/" + job.id()).html()).doesNotContain("method=\"post\"");
    }

    @Test
    @Transactional
    void retryWhenNumberMustBeTypedThenItMustBeRight() {
        String path = "deliveries/retry?endpoint=gone";
        data.store(1001, "gone", "dead");

        assertThat(operator.send(path).status()).isEqualTo(400);
        assertThat(operator.send(path, "confirm", "1000").text()).contains("Nothing was changed");
        assertThat(operator.send(path, "confirm", "many").status()).isEqualTo(400);
        assertThat(dispatcher.deliveries().openJobs()).isEmpty();

        assertThat(operator.send(path, "confirm", "1001").status()).isEqualTo(303);
    }

    @Test
    @Transactional
    void retryWhenManyMatchThenNeedsTheNumber() {
        data.store(1001, "gone", "dead");

        assertThat(operator.send("deliveries/retry?endpoint=gone").status()).isEqualTo(400);
        assertThat(dispatcher.deliveries().openJobs()).isEmpty();
    }

    @Test
    @Transactional
    void retryWhenThereIsNoFilterThenRefused() {
        ConsoleVisitor.Answer answer = operator.send("deliveries/retry");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("webhook-dispatcher/bad-opts");
        assertThat(operator.send("deliveries/retry?response=9").status()).isEqualTo(400);
        assertThat(dispatcher.deliveries().openJobs()).isEmpty();
    }

    @Test
    @Transactional
    void cancelThenTheJobEnds() {
        data.store(1, "gone", "dead");
        BulkJob job = dispatcher.deliveries().retryAll(DeliveryQuery.all().withEndpoint("gone"));

        assertThat(operator.send("jobs/" + job.id() + "/cancel").redirect())
                .isEqualTo("../../jobs/" + job.id()
                        + ": The bulk retry was cancelled. Deliveries that it had made due stay due.");

        assertThat(dispatcher.deliveries().job(job.id()).orElseThrow().state()).isEqualTo(BulkJobState.CANCELLED);
        ConsoleVisitor.Answer page = operator.open("jobs/" + job.id());
        assertThat(page.text())
                .contains("The bulk retry was cancelled.", "Statecancelled")
                .doesNotContain("so far");
        assertThat(page.html()).doesNotContain("/cancel\"");
        assertThat(dispatcher.deliveries().list(DeliveryQuery.all()).get(0).status())
                .isEqualTo(DeliveryStatus.DEAD);
    }

    @Test
    void jobWhenItRunsThenShowsProgress() {
        data.sql("""
                INSERT INTO _credential_webhook_jobs (job_id, state, created_before, min_attempts, selected, done, skipped,
                    created_at, row_mac)
                VALUES ('%s', 'retrying', 1, 0, 2000, 1500, 12, 1800000000000, 'x')""".formatted("1".repeat(32))).update();

        ConsoleVisitor.Answer page = operator.open("jobs/" + "1".repeat(32));

        assertThat(page.text())
                .contains("Stateretrying", "Selected2,000", "Done1,500", "Skipped12", "2027-01-15 08:00:00")
                .doesNotContain("so far");
        assertThat(page.html()).contains("<progress max=\"2000\" value=\"1500\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000000000000000000000000000000", "no-id"})
    void jobWhenUnknownThenNotFound(String id) {
        assertThat(operator.open("jobs/" + id).text()).contains("No bulk retry has this id");
        assertThat(operator.open("jobs/" + id).status()).isEqualTo(404);
        assertThat(operator.send("jobs/" + id + "/cancel").status()).isEqualTo(404);
    }

    @Test
    void previewWhenViewerThenForbidden() {
        assertThat(viewer.open("deliveries/retry?endpoint=gone").status()).isEqualTo(403);
    }
}
