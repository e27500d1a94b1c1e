package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Endpoints are found by their ids, or read in pages. */
@BothDatabases
class EndpointListTests extends DispatcherTestBase {

    EndpointListTests(TestDatabase test) {
        super(test);
    }

    @Test
    void listThenPagesInTheOrderOfTheIds() {
        List.of("b", "A", "a.2", "a-1", "a").forEach(id -> fixture.endpoint(id, "/shop"));

        assertThat(ids(dispatcher.listEndpoints(null, 2))).containsExactly("A", "a");
        assertThat(ids(dispatcher.listEndpoints("a", 2))).containsExactly("a-1", "a.2");
        assertThat(ids(dispatcher.listEndpoints("a.2", 2))).containsExactly("b");
        assertThat(ids(dispatcher.listEndpoints())).containsExactly("A", "a", "a-1", "a.2", "b");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1001})
    void listWhenLimitIsOutOfRangeThenRejected(int limit) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.listEndpoints(null, limit))
                .withMessageContaining("limit")
                .returns(WebhookDispatcherErrorCode.BAD_OPTS, WebhookDispatcherException::errorCode);
    }

    @Test
    void listWhenPositionIsMalformedThenRejected() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> dispatcher.listEndpoints("\0", 1))
                .returns(WebhookDispatcherErrorCode.BAD_OPTS, WebhookDispatcherException::errorCode);
    }

    @Test
    void pausedThenTheLatestFirst() {
        for (String id : List.of("b", "c", "a", "active", "d")) {
            fixture.endpoint(id, "/shop");
        }
        dispatcher.pauseEndpoint("c");
        fixture.clock.advance(Duration.ofSeconds(1));
        dispatcher.pauseEndpoint("b");
        dispatcher.pauseEndpoint("a");
        fixture.clock.advance(Duration.ofSeconds(1));
        dispatcher.pauseEndpoint("d");
        dispatcher.resumeEndpoint("d");

        assertThat(ids(fixture.dispatcher.operatorViews().pausedEndpoints(10))).containsExactly("a", "b", "c");
        assertThat(ids(fixture.dispatcher.operatorViews().pausedEndpoints(2))).containsExactly("a", "b");
        assertThat(fixture.dispatcher.operatorViews().pausedEndpoints(1))
                .containsExactly(dispatcher.getEndpoint("a").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1001})
    void pausedWhenLimitIsOutOfRangeThenRejected(int limit) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> fixture.dispatcher.operatorViews().pausedEndpoints(limit))
                .returns(WebhookDispatcherErrorCode.BAD_OPTS, WebhookDispatcherException::errorCode);
    }

    @Test
    void getThenTheEndpointAsListed() {
        fixture.endpoint("shop", "/shop");
        dispatcher.pauseEndpoint("shop");

        assertThat(dispatcher.getEndpoint("shop"))
                .contains(dispatcher.listEndpoints().get(0));
        assertThat(dispatcher.getEndpoint("shop").orElseThrow().pauseReason()).isEqualTo(PauseReason.MANUAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "no id"})
    void getWhenThereIsNoneThenEmpty(String id) {
        assertThat(dispatcher.getEndpoint(id)).isEmpty();
    }

    private static List<String> ids(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::endpointId).toList();
    }
}
