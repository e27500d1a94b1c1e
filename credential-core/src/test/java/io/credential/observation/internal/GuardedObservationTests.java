package io.credential.observation.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

import io.credential.observation.CredentialObservation;
import io.credential.observation.WebhookSettleObservationContext;
import io.credential.observation.WebhookSettleObservationConvention;
import io.credential.testing.BrokenHandler;
import io.credential.testing.CapturedLog;
import io.credential.testing.RecordedObservations;

import static org.assertj.core.api.Assertions.assertThat;

class GuardedObservationTests {

    private final RecordedObservations observations = new RecordedObservations();

    @Test
    void errorThenOnlyTheNameOfItsClass() {
        GuardedObservation<WebhookSettleObservationContext> observation = start();

        observation.error(new IllegalStateException("https://example.com/secret", new RuntimeException("{payload}")));
        observation.stop();

        assertThat(observations.errors()).singleElement().satisfies(error -> {
            assertThat(error).hasMessage("java.lang.IllegalStateException").hasNoCause();
            assertThat(error.getStackTrace()).isEmpty();
        });
    }

    @Test
    void startInScopeThenParentOfWhatFollows() {
        GuardedObservation<WebhookSettleObservationContext> observation = start();
        assertThat(observations.registry().getCurrentObservation()).isNotNull();

        observation.stop();

        assertThat(observations.registry().getCurrentObservation()).isNull();
    }

    @Test
    void startInScopeWhenNothingObservesThenNoScope() {
        GuardedObservation<WebhookSettleObservationContext> outer = start();
        Observation before = observations.registry().getCurrentObservation();

        GuardedObservation<WebhookSettleObservationContext> inner = start(ObservationRegistry.NOOP);
        Observation within = observations.registry().getCurrentObservation();
        inner.stop();
        outer.stop();

        assertThat(within).isSameAs(before);
    }

    @ParameterizedTest
    @EnumSource
    void stopWhenAHandlerFailsThenLoggedOnly(BrokenHandler.Moment moment) {
        observations.registry().observationConfig().observationHandler(new BrokenHandler(moment));
        try (CapturedLog log = CapturedLog.of(GuardedObservation.class)) {
            GuardedObservation<WebhookSettleObservationContext> observation = start();
            observation.error(new IllegalStateException());
            observation.stop();

            assertThat(log.lines()).singleElement().asString().startsWith("An observation is incomplete");
        }
        assertThat(observations.registry().getCurrentObservationScope()).isNull();
    }

    @Test
    void startWhenAPredicateFailsThenLoggedOnly() {
        observations.registry().observationConfig().observationPredicate((name, context) -> {
            throw new IllegalStateException("the predicate is broken");
        });
        try (CapturedLog log = CapturedLog.of(GuardedObservation.class)) {
            start().stop();

            assertThat(log.lines()).hasSize(1);
        }
    }

    private GuardedObservation<WebhookSettleObservationContext> start() {
        return start(observations.registry());
    }

    private static GuardedObservation<WebhookSettleObservationContext> start(ObservationRegistry registry) {
        return GuardedObservation.startInScope(
                CredentialObservation.WEBHOOK_SETTLE,
                new WebhookSettleObservationConvention(),
                new WebhookSettleObservationContext(1),
                registry);
    }
}
