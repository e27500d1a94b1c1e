package io.credential.spring.console.page;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.annotation.Transactional;

import io.credential.testing.RecordedStatements;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What operators see first. */
@PageTest
class OverviewPageTests {

    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;
    private final FreshOverview overview;
    private final RecordedStatements statements;

    OverviewPageTests(
            @Autowired MockMvc mvc,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired FreshOverview overview,
            @Autowired RecordedStatements statements) {
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
        this.overview = overview;
        this.statements = statements;
        this.data = WebhookData.cleared(dispatcher, statements);
    }

    @Test
    void overviewWhenNothingIsStoredThenSaysNone() {
        ConsoleVisitor.Answer page = fresh();

        assertThat(page.text())
                .contains(
                        "No endpoints yet",
                        "dispatcher.dispatch(\"order.created\", order);",
                        "0 attempts running on this node",
                        "No attempts.",
                        "Dead deliveries None.",
                        "Paused endpoints None.",
                        "Bulk retries None.")
                .doesNotContain("The database has not answered");
        assertThat(page.html()).doesNotContain("method=\"post\"");
    }

    @Test
    void overviewThenIsServedAtTheRoot() {
        ConsoleVisitor.Answer page = viewer.open("");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).contains("Attempts of the last 24 hours", "Paused endpoints", "Nodes");
        assertThat(viewer.etag("")).isEqualTo(viewer.etag(""));
    }

    @Test
    void overviewThenShowsAttemptsAndDeaths() {
        data.register("shop", "/accepts");
        data.register("erp", "/fails");
        data.send("shop", "a");
        data.send("erp", "a");
        data.send("erp", "a");
        data.store(1, "gone", "dead");

        ConsoleVisitor.Answer page = fresh();

        assertThat(page.text())
                .contains("The largest groups")
                .doesNotContain("No endpoints yet")
                .containsSubsequence("erp http-status 2", "gone other 1")
                .doesNotContain("of the newest 5,000");
        assertThat(page.html())
                .contains(
                        "\"deliveries?endpoint=erp&status=dead&reason=http-status\"",
                        "\"endpoints/erp\"",
                        "id=\"dead-erp-http-status\"",
                        "id=\"dead-gone-\"")
                .doesNotContain("deliveries?endpoint=gone");
    }

    @Test
    void overviewWhenThereAreManyGroupsThenTheLargest() {
        for (int i = 10; i < 21; i++) {
            data.register("e-" + i, "/fails");
            data.send("e-" + i, "a");
        }

        assertThat(fresh().html()).contains("id=\"dead-e-19-").doesNotContain("id=\"dead-e-20-");
    }

    @Test
    void overviewWhenTooManyAreDeadThenSaysSo() {
        data.store(5001, "gone", "dead");

        assertThat(fresh().text()).contains("The largest groups of the newest 5,000");
    }

    @Test
    void overviewThenShowsPausedEndpoints() {
        for (int i = 10; i < 20; i++) {
            data.register("e-" + i, "/accepts");
        }
        for (int i = 10; i < 19; i++) {
            dispatcher.pauseEndpoint("e-" + i);
        }

        assertThat(fresh().text())
                .contains("e-10 since", "manual")
                .doesNotContain("e-19", "At most 10 are shown, the latest first.");
        assertThat(fresh().html()).contains("<a href=\"endpoints/e-10\">");

        dispatcher.pauseEndpoint("e-19");

        assertThat(fresh().text()).contains("e-19 since", "At most 10 are shown, the latest first.");
    }

    @Test
    @Transactional // is rolled back, so that the job does not run
    void overviewThenShowsJobs() {
        data.store(1, "gone", "dead");
        BulkJob job = dispatcher.deliveries().retryAll(DeliveryQuery.all().withEndpoint("gone"));

        ConsoleVisitor.Answer page = fresh();

        assertThat(page.text())
                .contains("Retry of 0 deliveries selecting since")
                .doesNotContain("Bulk retries None.");
        assertThat(page.html()).contains("\"jobs/" + job.id() + "\"");
    }

    @Test
    void overviewThenShowsThisNodeAsLeader() {
        assertThat(fresh().text()).containsPattern("Nodes This node\\S+ leader").doesNotContain("All nodes");
    }

    @Test
    void overviewWhenNothingCouldBeReadThenShowsMemory() {
        ConsoleVisitor.Answer page = viewer.open(FreshOverview.UNREAD);

        assertThat(page.text())
                .contains("The database has not answered since 1970-01-01 00:00:00", "0 attempts running on this node")
                .doesNotContain("largest groups", "last 24 hours", "Bulk retries", "Nodes");
    }

    /** Then the page shows what was read before. */
    @Test
    void partWhenDatabaseFailsThenDataAccessException() {
        statements.refuse("_credential_");
        try {
            assertThat(overview.parts().stream()
                            .filter(part -> !part.getClass().getSimpleName().equals("NodesPart")))
                    .isNotEmpty()
                    .allSatisfy(part -> assertThatThrownBy(part::read).isInstanceOf(DataAccessException.class));
        } finally {
            statements.allowAll();
        }
    }

    private ConsoleVisitor.Answer fresh() {
        return viewer.open(FreshOverview.PATH);
    }
}
