package io.credential.spring.console.page;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.ErasureQuery;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of deliveries. */
@PageTest
class DeliveryPageTests {

    private static final String UNKNOWN = "0".repeat(32);

    private final ConsoleVisitor admin;
    private final ConsoleVisitor operator;
    private final ConsoleVisitor viewer;
    private final WebhookDispatcher dispatcher;
    private final WebhookData data;

    DeliveryPageTests(
            @Autowired MockMvc mvc, @Autowired WebhookDispatcher dispatcher, @Autowired DataSource dataSource) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.operator = ConsoleVisitor.operator(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.dispatcher = dispatcher;
        this.data = WebhookData.cleared(dispatcher, dataSource);
    }

    @Test
    void listWhenNothingWasSentThenShowsTheCode() {
        assertThat(viewer.open("deliveries").text())
                .contains("Nothing was sent yet", "dispatcher.dispatch(\"order.created\", order);");
    }

    @Test
    void listThenShowsTheNewestFirst() {
        data.register("shop", "/accepts");
        data.register("erp", "/fails");
        Delivery accepted = data.send("shop", "order.created");
        data.send("erp", "order.paid");

        ConsoleVisitor.Answer page = viewer.open("deliveries");

        assertThat(page.text())
                .containsSubsequence("order.paid erp dead 1 500", "order.created shop delivered 1 200 –")
                .doesNotContain("Older", "Continue", "Examined up to");
        assertThat(page.html())
                .contains("./deliveries/" + accepted.deliveryId(), "./endpoints/shop")
                .doesNotContain("method=\"post\"", "name=\"id\"", "Retry");
        assertThat(operator.open("deliveries").html())
                .contains("deliveries/retry-selected\"", "name=\"id\" value=\"" + accepted.deliveryId());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "endpoint=erp|to endpoint erp",
                "type=lost|of type lost",
                "status=dead|with status dead",
                "response=500|last answered with HTTP 500",
                "reason=timed-out|last failed as timed-out",
                "audience=erp|for audience erp",
                "from=2100-01-01T00:00:00|dispatched at or after 2100-01-01 00:00:00 UTC",
                "before=2020-01-01T00:00:00|dispatched before 2020-01-01 00:00:00 UTC",
                "event=00000000000000000000000000000000|of event 00000000000000000000000000000000",
                "key=of-nobody|with idempotency key of-nobody",
                "attempts=2|with at least 2 attempts"
            })
    void listWhenNothingMatchesThenSaysWhatWasSearched(String query, String words) {
        data.register("shop", "/accepts");
        data.send("shop", "order.created");

        ConsoleVisitor.Answer page = operator.open("deliveries?" + query);

        assertThat(page.text()).contains("No results: Deliveries " + words + ". Show all deliveries");
        assertThat(page.html())
                .as("the form keeps it")
                .contains("\"" + query.substring(query.indexOf('=') + 1) + "\"")
                .contains("deliveries/retry?" + query.replace(":", "%3A"));
        assertThat(viewer.open("deliveries?" + query).text()).contains("Clear").doesNotContain("Retry all");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "endpoint=shop",
                "type=order.created",
                "status=delivered",
                "response=200",
                "audience=shop",
                "from=2020-01-01T00:00",
                "before=2100-01-01T00:00",
                "key=order-1",
                "attempts=1",
                "endpoint=shop&status=delivered&response=200"
            })
    void listWhenItMatchesThenShown(String query) {
        data.register("shop", "/accepts");
        Delivery sent = data.send(
                "order.created", DispatchOptions.none().withAudience("shop").withIdempotencyKey("order-1"));

        assertThat(viewer.open("deliveries?" + query).html()).contains("id=\"d-" + sent.deliveryId());
        assertThat(viewer.open("deliveries?event=" + sent.eventId()).html()).contains("id=\"d-" + sent.deliveryId());
    }

    @Test
    void listWhenReasonMatchesThenShown() {
        data.register("erp", "/fails");
        Delivery dead = data.send("erp", "order.created");

        assertThat(viewer.open("deliveries?reason=http-status&status=dead").html())
                .contains("id=\"d-" + dead.deliveryId());
    }

    @ParameterizedTest
    @CsvSource({
        "status=lost,'status'",
        "response=99,'response'",
        "response=600,'response'",
        "response=x,'response'",
        "reason=mood,'reason'",
        "from=yesterday,'from'",
        "before=yesterday,'before'",
        "attempts=-1,'attempts'",
        "cursor=x,cursor"
    })
    void listWhenFilterIsMalformedThenRefused(String query, String parameter) {
        ConsoleVisitor.Answer page = viewer.open("deliveries?" + query);

        assertThat(page.status()).isEqualTo(400);
        assertThat(page.text()).contains(parameter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"response=100", "response=599", "attempts=999999999999"})
    void listWhenNumberIsAtItsLimitThenAccepted(String query) {
        assertThat(viewer.open("deliveries?" + query).status()).isEqualTo(200);
    }

    @Test
    void listWhenThereAreMoreThen50ThenHasPages() {
        data.store(51, "gone", "pending");

        ConsoleVisitor.Answer first = viewer.open("deliveries?endpoint=gone");

        assertThat(first.html())
                .containsPattern("deliveries\\?endpoint=gone&(amp;)?cursor=[0-9a-f]{32}\"")
                .doesNotContain("Examined up to");
        assertThat(first.text()).contains("Older").doesNotContain("Continue");
        String cursor = first.html().replaceAll("(?s).*cursor=([0-9a-f]{32}).*", "$1");
        ConsoleVisitor.Answer last = viewer.open("deliveries?endpoint=gone&cursor=" + cursor);
        assertThat(last.html()).containsOnlyOnce("<tr id=\"d-");
        assertThat(last.text()).doesNotContain("Older");
        assertThat(viewer.open("deliveries").html()).contains("deliveries?cursor=");
    }

    @Test
    void listWhenCutShortThenContinues() {
        data.store(2100, "gone", "dead");

        ConsoleVisitor.Answer page = viewer.open("deliveries?status=dead&type=never.sent");

        assertThat(page.text())
                .contains("Examined up to 2027-01-15 08:00:00", "; more may match.", "Continue")
                .doesNotContain("No results", "Nothing was sent");
        String cursor = page.html().replaceAll("(?s).*cursor=([0-9a-f]{32}).*", "$1");
        assertThat(viewer.open("deliveries?status=dead&type=never.sent&cursor=" + cursor)
                        .text())
                .contains("No results")
                .doesNotContain("Continue");
    }

    @Test
    void showThenHasAttemptsWithoutSecrets() {
        dispatcher.registerEndpoint(
                EndpointRegistration.of("erp", "http://127.0.0.1/fails/hunter2", "a secret of it", "*")
                        .header("X-Gateway", "key-of-the-gateway"));
        Delivery dead = data.send("order.paid", DispatchOptions.none());

        ConsoleVisitor.Answer page = viewer.open("deliveries/" + dead.deliveryId());

        assertThat(page.text())
                .contains(
                        dead.deliveryId(),
                        dead.eventId() + " of type order.paid",
                        "erp 127.0.0.1",
                        "Attempt 1 failed",
                        "HTTP 500",
                        "http-status",
                        "-Signature: ***",
                        "curl -X POST '127.0.0.1'",
                        "--data-binary @payload.json")
                .doesNotContain("Next attempt", "No attempts yet", "removed", "erased", "Trace");
        assertThat(page.html())
                .contains("../deliveries?event=" + dead.eventId(), "../endpoints/erp")
                .doesNotContain(
                        "hunter2",
                        "key-of-the-gateway",
                        "a secret of it",
                        "<i>full",
                        "<b>sold",
                        "method=\"post\"",
                        "/payload");
        assertThat(admin.open("deliveries/" + dead.deliveryId()).html())
                .contains("http://127.0.0.1/fails/hunter2", "/payload\"", "/retry\"", "/replay\"", "/erase\"")
                .doesNotContain("key-of-the-gateway");
        assertThat(operator.open("deliveries/" + dead.deliveryId()).html())
                .contains("/retry\"", "/replay\"")
                .doesNotContain("/payload\"", "/erase\"");
    }

    @Test
    void showWhenPayloadsMayNotBeSeenThenHasNoResponse() {
        dispatcher.registerEndpoint(EndpointRegistration.of("erp", "http://127.0.0.1/fails", "a secret of it", "*"));
        String page =
                "deliveries/" + data.send("order.paid", DispatchOptions.none()).deliveryId();

        assertThat(admin.open(page).text()).contains("x-queue: <i>full</i>", "<b>sold out</b>");
        assertThat(viewer.open(page).text()).doesNotContain("x-queue", "sold out");
    }

    @Test
    void showWhenDeliveredThenNeitherReplayNorError() {
        data.register("shop", "/accepts");
        Delivery sent = data.send("shop", "order.created");

        ConsoleVisitor.Answer page = admin.open("deliveries/" + sent.deliveryId());

        assertThat(page.text())
                .contains("Attempt 1 accepted", "HTTP 200", "Delivered")
                .doesNotContain("Last error", "Next attempt");
        assertThat(page.html()).contains("/retry\"").doesNotContain("/replay\"", "<summary>Response");
    }

    @Test
    void showWhenPendingThenHasNextAttempt() {
        data.register("shop", "/accepts");
        dispatcher.pauseEndpoint("shop");
        Delivery held = data.send("shop", "order.created");

        assertThat(admin.open("deliveries/" + held.deliveryId()).text())
                .contains(
                        "Next attempt when the endpoint is resumed, which is paused since 2",
                        "No attempts yet",
                        "curl -X POST 'http://127.0.0.1/accepts' \\ --data-binary")
                .doesNotContain("Replay", "Delivered");
        data.sql("UPDATE _credential_webhook_endpoints SET paused_at = NULL, pause_reason = NULL")
                .update();
        assertThat(admin.open("deliveries/" + held.deliveryId()).text())
                .containsPattern("Next attempt \\d{4}-")
                .doesNotContain("is resumed");
    }

    @Test
    void showWhenEndpointIsRemovedThenSaysSo() {
        data.register("shop", "/accepts");
        Delivery sent = data.send("shop", "order.created");
        dispatcher.removeEndpoint("shop");

        assertThat(viewer.open("deliveries/" + sent.deliveryId()).text())
                .contains("shop removed", "curl -X POST 'https://example.org/'");
    }

    @Test
    void showWhenPayloadIsErasedThenCannotBeSent() {
        data.register("erp", "/fails");
        Delivery dead = data.send("erp", "order.created");
        dispatcher.deliveries().erasePayloads(ErasureQuery.ofEvent(dead.eventId()));

        ConsoleVisitor.Answer page = admin.open("deliveries/" + dead.deliveryId());

        assertThat(page.text()).containsPattern("Payload ?erased \\d{4}-");
        assertThat(page.html()).doesNotContain("method=\"post\"", "/payload\"");
        assertThat(admin.open("deliveries/" + dead.deliveryId() + "/payload").status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/payload"})
    void showWhenUnknownThenNotFound(String page) {
        assertThat(admin.open("deliveries/" + UNKNOWN + page).status()).isEqualTo(404);
        assertThat(admin.open("deliveries/no-id" + page).text()).contains("No delivery has this id.");
    }

    @Test
    void payloadThenNeedsItsAuthority() {
        data.register("shop", "/accepts");
        Delivery sent = data.send("shop", "order.created");

        assertThat(operator.open("deliveries/" + sent.deliveryId() + "/payload").status())
                .isEqualTo(403);
        ConsoleVisitor.Answer page = admin.open("deliveries/" + sent.deliveryId() + "/payload");
        assertThat(page.text()).contains("12 bytes. Viewing a payload is audited.", "{\"total\":42}");
        assertThat(page.html()).contains("../../deliveries/" + sent.deliveryId());
        assertThat(admin.open("deliveries/" + sent.deliveryId()).text()).doesNotContain("total");
    }

    @Test
    void payloadWhenItIsLargeThenItsBeginning() {
        data.register("shop", "/accepts");
        String text = "\"<i>" + "x".repeat(65_536) + "END\"";
        Delivery sent = dispatcher
                .dispatch("order.created", text, DispatchOptions.none().withAudience("shop"))
                .deliveries()
                .get(0);

        ConsoleVisitor.Answer page = admin.open("deliveries/" + sent.deliveryId() + "/payload");

        assertThat(page.text())
                .contains("65,544 bytes, of which the first 65,536 are shown", "\"<i>xxx")
                .doesNotContain("END");
        assertThat(page.html()).doesNotContain("<i>");
    }
}
