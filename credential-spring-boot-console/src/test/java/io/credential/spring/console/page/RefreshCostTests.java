package io.credential.spring.console.page;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.transaction.annotation.Transactional;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.testing.RecordedStatements;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages that refresh themselves take two statements at most. */
@PageTest
class RefreshCostTests {

    private static final int MOST = 2;

    private final ConsoleVisitor admin;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;
    private final FreshOverview overview;
    private final RecordedStatements statements;
    private final ApiKeyRegistries registries;

    RefreshCostTests(
            @Autowired MockMvc mvc,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired FreshOverview overview,
            @Autowired RecordedStatements statements,
            @Autowired ApiKeyRegistries registries) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.dispatcher = dispatcher;
        this.overview = overview;
        this.statements = statements;
        this.registries = registries;
        this.data = WebhookData.cleared(dispatcher, statements);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deliveries",
                "deliveries?endpoint=shop&status=delivered&type=order.created",
                "dead",
                "audit",
                "inbound"
            })
    void pageThenTakesAtMostTwoStatements(String path) {
        data.register("shop", "/fails");
        data.send("shop", "order.created");

        assertIsCheap(path);
    }

    @Test
    void deliveryThenTakesAtMostTwoStatements() {
        data.register("shop", "/fails");

        assertIsCheap("deliveries/" + data.send("shop", "order.created").deliveryId());
    }

    @Test
    @Transactional // is rolled back, so that the job does not run
    void jobThenTakesAtMostTwoStatements() {
        data.store(1, "gone", "dead");

        assertIsCheap("jobs/"
                + dispatcher
                        .deliveries()
                        .retryAll(DeliveryQuery.all().withEndpoint("gone"))
                        .id());
    }

    /** One of the parts is read for a refresh. */
    @Test
    void partOfOverviewThenTakesAtMostTwoStatements() {
        ((JdbcApiKeyRegistries) registries).totalsMaintenance().run(); // until then, one more for the keys

        assertThat(overview.parts())
                .extracting(part -> statements.preparedBy(part::read).size())
                .contains(MOST)
                .allMatch(size -> size <= MOST);
    }

    private void assertIsCheap(String path) {
        List<String> prepared =
                statements.preparedBy(() -> assertThat(admin.open(path).html()).contains("data-live"));

        assertThat(prepared).hasSizeBetween(1, MOST);
    }
}
