package io.credential.webhook.delivery;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import io.credential.testing.BothDatabases;
import io.credential.testing.SimpleTracer;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;

/** The trace of the request that dispatches an event continues in its deliveries. */
@BothDatabases
class TraceTests {

    private static final String TRACE_PARENT = "00-[0-9a-f]{32}-[0-9a-f]{16}-01";

    private final ObservationRegistry registry = ObservationRegistry.create();

    @AutoClose
    private final DispatcherFixture fixture;

    private final JdbcWebhookDispatcher dispatcher;

    TraceTests(TestDatabase test) {
        registry.observationConfig().observationHandler(new SimpleTracer());
        this.fixture = new DispatcherFixture(test, builder -> builder.observationRegistry(registry));
        this.dispatcher = fixture.dispatcher;
        fixture.endpoint("shop", "/shop");
    }

    @Test
    void dispatchThenReceiverSeesTheTraceOfTheCaller() {
        String caller = dispatchInARequest();

        String received = received(0);
        assertThat(received).matches(TRACE_PARENT).isNotEqualTo(caller);
        assertThat(SimpleTracer.traceId(received)).isEqualTo(SimpleTracer.traceId(caller));
    }

    @Test
    void retryWhenOnAnotherNodeThenSameTrace() {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        String caller = dispatchInARequest();
        JdbcWebhookDispatcher other = fixture.node(builder -> builder.observationRegistry(registry));

        fixture.clock.advance(Duration.ofSeconds(5));
        other.processRetries();

        assertThat(SimpleTracer.traceId(received(1))).isEqualTo(SimpleTracer.traceId(caller));
        assertThat(received(1)).isNotEqualTo(received(0));
    }

    @Test
    void dispatchWhenInATransactionThenSameTrace() {
        String caller =
                inARequest(() -> fixture.database().inTransaction(() -> dispatcher.dispatch("order.paid", "{}")));
        dispatcher.processRetries();

        assertThat(SimpleTracer.traceId(received(0))).isEqualTo(SimpleTracer.traceId(caller));
    }

    @Test
    void attemptThenOtherHeadersOfTheTracerAreNotSent() {
        dispatchInARequest();

        assertThat(fixture.receiver.hooks().get(0).headers())
                .doesNotContainKeys("Baggage", "baggage", "Authorization", "Tracestate");
    }

    @Test
    void attemptWhenNotTracedThenNoHeaderAndNothingStored() {
        JdbcWebhookDispatcher untraced = fixture.node(builder -> builder);

        untraced.dispatch("order.paid", "{}");

        assertThat(fixture.receiver.hooks().get(0).headers()).doesNotContainKey("Traceparent");
        assertThat(fixture.rows
                        .sql("SELECT count(*) FROM {events} WHERE trace_parent IS NOT NULL")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-00000000000000000000000000000000-0000000000000001-01",
                "00-0000000000000000000000000000000f-0000000000000000-01",
                "00-0000000000000000000000000000000F-0000000000000001-01",
                "01-0000000000000000000000000000000f-0000000000000001-01",
                "00-0000000000000000000000000000000f-0000000000000001-01\r\nX-Injected: 1",
                ""
            })
    void attemptWhenStoredTraceIsMalformedThenANewOne(String stored) {
        fixture.receiver.answeringInTurn("/shop", 500, 200);
        dispatchInARequest();
        fixture.rows
                .sql("UPDATE {events} SET trace_parent = :stored")
                .param("stored", stored)
                .update();

        fixture.clock.advance(Duration.ofSeconds(5));
        dispatcher.processRetries();

        assertThat(received(1)).matches(TRACE_PARENT);
        assertThat(SimpleTracer.traceId(received(1))).isNotEqualTo("0".repeat(31) + "f");
        assertThat(fixture.receiver.hooks().get(1).headers()).doesNotContainKey("X-injected");
    }

    private String dispatchInARequest() {
        return inARequest(() -> dispatcher.dispatch("order.paid", "{}"));
    }

    /** Returns the trace of the request. */
    private String inARequest(Runnable work) {
        Observation request = Observation.start("request", registry);
        request.scoped(work);
        request.stop();
        return SimpleTracer.traceParent(request.getContext());
    }

    private String received(int number) {
        return fixture.receiver.hooks().get(number).header("Traceparent");
    }
}
