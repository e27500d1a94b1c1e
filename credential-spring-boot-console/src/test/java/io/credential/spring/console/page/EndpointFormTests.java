package io.credential.spring.console.page;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.ratelimit.RateLimit;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Creating and changing endpoints with forms. */
@PageTest
class EndpointFormTests {

    private static final String URL = "http://127.0.0.1/hooks/hunter2";

    private final ConsoleVisitor admin;
    private final ConsoleVisitor operator;
    private final WebhookDispatcher dispatcher;
    private final PageApplication.Receivers receivers;

    EndpointFormTests(
            @Autowired MockMvc mvc,
            @Autowired WebhookDispatcher dispatcher,
            @Autowired PageApplication.Receivers receivers) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.operator = ConsoleVisitor.operator(mvc);
        this.dispatcher = dispatcher;
        this.receivers = receivers;
    }

    @BeforeEach
    void removeEndpoints() {
        dispatcher.listEndpoints().forEach(endpoint -> dispatcher.removeEndpoint(endpoint.endpointId()));
    }

    @Test
    void createWhenPayloadsMayNotBeSeenThenRefused() {
        operator.open("new-endpoint");

        ConsoleVisitor.Answer refused = create(operator, "id", "shop", "url", URL, "types", "*");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.text()).contains("Payloads are sent to the URL");
        assertThat(dispatcher.getEndpoint("shop")).isEmpty();
    }

    @Test
    void saveWhenUrlIsNewAndPayloadsMayNotBeSeenThenRefused() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e")));
        operator.open("endpoints/shop/edit");

        assertThat(save(operator, "types", "e", "url", URL + "/other").status()).isEqualTo(403);
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().url()).isEqualTo(URL);
    }

    @Test
    void createThenShowsTheSecretOnce() {
        admin.open("new-endpoint");

        ConsoleVisitor.Answer shown = create(admin, "id", "shop", "url", URL, "types", "*");

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.text()).contains("The endpoint was created.", "Signature secret v1 of shop");
        assertThat(shown.html()).containsPattern("data-secret=\"./endpoints/shop\"[^>]*>[0-9a-f]{64}<");
        assertThat(shown.cacheControl()).isEqualTo("no-store");
        dispatcher.removeEndpoint("shop");

        ConsoleVisitor.Answer again = create(admin, "id", "shop", "url", URL, "types", "*");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).contains("This form was sent already. The secret is not shown again.");
        assertThat(dispatcher.listEndpoints()).isEmpty();
    }

    @Test
    void createThenTakesAllFields() {
        admin.open("new-endpoint");

        ConsoleVisitor.Answer created = admin.send(
                "new-endpoint",
                "id",
                "shop",
                "url",
                URL,
                "type",
                "order.created",
                "types",
                " order.paid \r\n\r\norder.left",
                "audience",
                "tenant-7",
                "scheme",
                "github",
                "signature-header",
                "X-Signature",
                "format",
                "envelope",
                "name",
                "The shop",
                "metadata",
                "{\"contract\": 4711}",
                "limit",
                "10",
                "window",
                "60",
                "headers",
                "Authorization: Bearer of: the-gateway\nX-Tenant:seven",
                "secret",
                "a secret of the receiver");

        assertThat(created.redirect()).isEqualTo("./endpoints/shop: The endpoint was created.");
        assertThat(dispatcher.getEndpoint("shop").orElseThrow())
                .returns(List.of("order.created", "order.left", "order.paid"), Endpoint::eventTypes)
                .returns("tenant-7", Endpoint::audience)
                .returns(SignatureScheme.GITHUB, Endpoint::scheme)
                .returns("X-Signature", Endpoint::signatureHeader)
                .returns(PayloadFormat.ENVELOPE, Endpoint::payloadFormat)
                .returns("The shop", Endpoint::name)
                .returns(Map.of("contract", 4711), Endpoint::metadata)
                .returns(new RateLimit(10, Duration.ofMinutes(1)), Endpoint::rateLimit);
        dispatcher.sendTestEvent("shop");
        assertThat(receivers.latest().headers())
                .containsEntry("Authorization", "Bearer of: the-gateway")
                .containsEntry("X-Tenant", "seven");
    }

    @Test
    void createWhenRejectedThenShownAgainWithoutSecrets() {
        admin.open("new-endpoint");

        ConsoleVisitor.Answer again = create(
                admin,
                "id",
                "shop 7",
                "url",
                URL,
                "type",
                "order.created",
                "types",
                "order.paid",
                "name",
                "The \"shop\"",
                "headers",
                "Authorization: Bearer of-the-gateway",
                "secret",
                "a secret of the receiver");

        assertThat(again.status()).isEqualTo(400);
        assertThat(again.text()).contains("endpointId", "Code: webhook-dispatcher/bad-opts");
        assertThat(again.html())
                .contains(
                        "value=\"shop 7\"",
                        "value=\"" + URL + "\"",
                        "value=\"order.created\" checked",
                        ">order.paid</textarea>",
                        "value=\"The &#34;shop&#34;\"")
                .doesNotContain("a secret of the receiver", "of-the-gateway");
        assertThat(create(admin, "id", "shop", "url", URL, "types", "e").status())
                .as("the form was not used up")
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata | [1]                 | must be a JSON object",
                "headers  | Authorization       | a name, a colon and a value",
                "headers  | Content-Type: a     | the name of a header",
                "limit    | 10                  | A rate limit needs",
                "window   | 60                  | A rate limit needs",
                "limit    | ten                 | must be a whole number",
                "scheme   | rot13               | must be one of",
                "format   | xml                 | must be one of",
                "types    | a b                 | eventTypes",
                "url      | ftp://127.0.0.1/    | scheme"
            })
    void createWhenFieldIsInvalidThenSaysWhich(String field, String value, String message) {
        admin.open("new-endpoint");

        ConsoleVisitor.Answer again = create(admin, field, value, "id", "shop", "url", URL, "types", "e");

        assertThat(again.status()).isEqualTo(400);
        assertThat(again.text()).contains(message);
        assertThat(dispatcher.listEndpoints()).isEmpty();
    }

    @Test
    void createWhenIdIsTakenThenConflict() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e")));
        admin.open("new-endpoint");

        ConsoleVisitor.Answer again = create(admin, "id", "shop", "url", URL, "types", "other");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).contains("webhook-dispatcher/endpoint-conflict");
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().eventTypes()).containsExactly("e");
    }

    @Test
    void saveThenChangesOnlyWhatWasEdited() {
        String types =
                IntStream.range(0, 999).mapToObj(i -> "type-of-an-event-" + i).collect(Collectors.joining("\n"));
        register(EndpointRegistration.withGeneratedSecret(
                        "shop", URL, types.lines().toList())
                .audience("tenant-7")
                .header("Authorization", "Bearer of-the-gateway"));
        ConsoleVisitor.Answer form = operator.open("endpoints/shop/edit");
        assertThat(form.html()).doesNotContain("hunter2", "of-the-gateway");

        assertThat(save(operator, "types", types, "name", "The shop", "headers", "X-Tenant: seven")
                        .redirect())
                .isEqualTo("../../endpoints/shop: The endpoint was saved.");

        assertThat(dispatcher.getEndpoint("shop").orElseThrow())
                .returns(URL, Endpoint::url)
                .returns("tenant-7", Endpoint::audience)
                .returns("The shop", Endpoint::name)
                .returns("v1", Endpoint::kid)
                .satisfies(saved -> assertThat(saved.eventTypes()).hasSize(999));
        dispatcher.sendTestEvent("shop");
        assertThat(receivers.latest().headers())
                .containsEntry("Authorization", "Bearer of-the-gateway")
                .containsEntry("X-Tenant", "seven");
    }

    @Test
    void saveWhenHeadersAreDroppedThenGone() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e"))
                .header("Authorization", "Bearer of-the-gateway"));
        admin.open("endpoints/shop/edit");

        save(admin, "types", "e", "drop-headers", "true");

        dispatcher.sendTestEvent("shop");
        assertThat(receivers.latest().headers()).doesNotContainKey("Authorization");
    }

    @Test
    void saveWhenHostIsAnotherThenHeadersAreNotSent() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e"))
                .header("Authorization", "Bearer of-the-gateway"));
        admin.open("endpoints/shop/edit");

        ConsoleVisitor.Answer again = save(admin, "types", "e", "url", "http://127.0.0.2/");

        assertThat(again.status()).isEqualTo(400);
        assertThat(again.text()).contains("The headers of endpoint shop are kept only if");
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().url()).isEqualTo(URL);
    }

    @Test
    void editThenShowsTheStoredValues() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("order.created", "order.paid"))
                .scheme(SignatureScheme.STRIPE)
                .metadata(Map.of("contract", 4711))
                .rateLimit(10, Duration.ofMinutes(1)));

        assertThat(admin.open("endpoints/shop/edit").html())
                .contains(
                        "value=\"" + URL + "\"",
                        "value=\"order.created\" checked",
                        ">order.paid</textarea>",
                        "value=\"stripe\" selected",
                        ">{\"contract\":4711}</textarea>",
                        "name=\"limit\" value=\"10\"",
                        "name=\"window\" value=\"60\"")
                .doesNotContain("Stripe-Signature", "name=\"audience\"", "name=\"id\"", "name=\"secret\"");
    }

    @Test
    void saveWhenChangedMeanwhileThenAsksFirst() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e")));
        admin.open("endpoints/shop/edit");
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e"))
                .name("Renamed"));

        ConsoleVisitor.Answer again = save(admin, "types", "e", "name", "The shop");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).contains("The endpoint was changed after this form was opened.");
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().name()).isEqualTo("Renamed");
        admin.continueWith(again);
        assertThat(save(admin, "types", "e", "name", "The shop").status()).isEqualTo(303);
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().name()).isEqualTo("The shop");
    }

    @Test
    void saveWhenRegisteredAnewMeanwhileThenAsksFirst() {
        EndpointRegistration registration = EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e"));
        register(registration);
        admin.open("endpoints/shop/edit");
        dispatcher.removeEndpoint("shop");
        register(registration);

        assertThat(save(admin, "types", "e").status()).isEqualTo(409);
    }

    @Test
    void saveWhenRemovedMeanwhileThenIsNotCreatedAnew() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e")));
        String version = admin.hiddenField("endpoints/shop/edit", "version");
        String form = admin.hiddenField("endpoints/shop/edit", "form");

        ConsoleVisitor.Answer answer =
                admin.open("removed-meanwhile/shop/save?types=e&scheme=credential&format=raw&version=" + version
                        + "&form=" + form);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(dispatcher.getEndpoint("shop")).isEmpty();
    }

    @Test
    void saveWhenSchemeChangesThenNeedsAdmin() {
        register(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e")));
        operator.open("endpoints/shop/edit");
        assertThat(save(operator, "types", "e", "scheme", "github").status()).isEqualTo(403);
        admin.open("endpoints/shop/edit");

        ConsoleVisitor.Answer shown = save(admin, "types", "e", "scheme", "github", "url", URL);

        assertThat(shown.text()).contains("Its new scheme needs another secret.");
        assertThat(shown.html()).containsPattern("data-secret=\"../../endpoints/shop\"[^>]*>[0-9a-f]{64}<");
    }

    private void register(EndpointRegistration registration) {
        dispatcher.registerEndpoint(registration);
    }

    private static ConsoleVisitor.Answer create(ConsoleVisitor visitor, String... fields) {
        return visitor.send("new-endpoint", withDefaults(fields));
    }

    private static ConsoleVisitor.Answer save(ConsoleVisitor visitor, String... fields) {
        return visitor.send("endpoints/shop/edit", withDefaults(fields));
    }

    /** Adds the values that the selections have; the first value of a field counts. */
    private static String[] withDefaults(String... fields) {
        String[] all = Arrays.copyOf(fields, fields.length + 4);
        System.arraycopy(new String[] {"scheme", "credential", "format", "raw"}, 0, all, fields.length, 4);
        return all;
    }
}
