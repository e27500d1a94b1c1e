package io.credential.spring.console.browser;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.WebElement;

import io.credential.testing.Patience;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an operator asks when somebody calls. Each question is answered from the overview with four activations at most, which
 * {@link KeyboardOperator} counts.
 */
@BrowserTest
class OperatorQuestionTests {

    private static final String DEAD_OF_ERP = "#dead-erp-http-status td[data-label=Dead] a";

    private final Browser browser;
    private final RunningConsole console;
    private final KeyboardOperator operator;

    OperatorQuestionTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        this.operator = KeyboardOperator.atOverview(browser, console);
    }

    @Test
    void whatIsStuckThenTakesOneActivation() {
        assertThat(browser.find("#dead-erp-http-status").getText()).contains("erp", "http-status");

        operator.follow(".figures a[href*='status=pending']");

        List<String> rows = rows();
        List<Delivery> pending = console.data().deliveries(DeliveryQuery.all().withStatus(DeliveryStatus.PENDING));
        assertThat(rows).hasSameSizeAs(pending).allMatch(row -> row.contains("pending"));
        assertThat(rows).anySatisfy(row -> assertThat(row).contains("archive", "order.created"));
        assertThat(operator.activations()).isEqualTo(1);
    }

    @Test
    void sinceWhenItIsStuckThenTakesOneActivation() {
        Instant since = console.data().failingSince("erp");

        operator.follow("#dead-erp-http-status a[href='endpoints/erp']");

        WebElement shown = browser.find(".failing ~ time");
        assertThat(browser.text()).contains("Failing since");
        assertThat(shown.getText()).isEqualTo(since.toString().substring(0, 19).replace('T', ' '));
        assertThat(operator.activations()).isEqualTo(1);
    }

    @Test
    void whyItIsStuckThenTakesThreeActivations() {
        operator.follow(DEAD_OF_ERP);
        assertThat(browser.find("caption").getText()).contains("to endpoint erp", "last failed as http-status");
        operator.openFirstRow();
        operator.expand(".timeline details[id^=response] summary");

        assertThat(browser.find(".timeline").getText()).contains("HTTP 503", "http-status", "the queue is full");
        assertThat(operator.activations()).isEqualTo(3);
    }

    @Test
    void whatACustomerGotThenTakesFourActivations() {
        operator.follow("nav a[href$=deliveries]");
        operator.fillIn("audience", "shop-7");
        operator.enter();
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row).contains("order.created", "shop-7", "delivered", "204"));

        operator.openFirstRow();
        operator.follow("a[href$=payload]");

        assertThat(browser.find("pre").getText()).isEqualTo("{\"total\":42}");
        assertThat(operator.activations()).isEqualTo(4);
    }

    @Test
    void sendTheseAgainThenTakesThreeActivations() {
        DeliveryQuery these = DeliveryQuery.all().withEndpoint("erp").withStatus(DeliveryStatus.DEAD);
        Map<String, Integer> attempts = attempts(these);
        Map<String, Integer> others = attempts(DeliveryQuery.all());
        others.keySet().removeAll(attempts.keySet());

        operator.follow(DEAD_OF_ERP);
        operator.follow("a[href*='deliveries/retry?']");
        assertThat(browser.text()).contains(attempts.size() + " can be retried now");
        operator.follow("form.fields button");
        browser.refreshUntil("the job", () -> browser.text().contains("finished"));

        assertThat(browser.find(".pairs").getText().lines())
                .containsSequence("Selected", String.valueOf(attempts.size()))
                .containsSequence("Done", String.valueOf(attempts.size()));
        attempts.replaceAll((id, number) -> number + 1);
        Patience.untilAsserted(() -> assertThat(attempts(these)).isEqualTo(attempts));
        assertThat(attempts(DeliveryQuery.all())).containsAllEntriesOf(others).hasSize(others.size() + attempts.size());
        assertThat(operator.activations()).isEqualTo(3);
    }

    private List<String> rows() {
        return browser.findAll("tbody tr").stream().map(WebElement::getText).toList();
    }

    private Map<String, Integer> attempts(DeliveryQuery query) {
        return console.data().deliveries(query).stream()
                .collect(Collectors.toMap(
                        Delivery::deliveryId, delivery -> console.data().attempts(delivery.deliveryId())));
    }
}
