package io.credential.observation;

import java.util.List;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of API keys and webhooks. The values of low-cardinality keys are stable words, or names from the
 * configuration; ids are only in high-cardinality keys, which are added to spans but not to metrics. No value or
 * error contains a secret, a token, a URL or a payload: of an exception, only the name of its class is reported.
 *
 * <p>To change names and values, define a bean that extends one of the conventions.
 *
 * @since 0.1.0
 */
public enum CredentialObservation implements ObservationDocumentation {
    /** A token is verified. */
    API_KEY_VERIFY(
            ApiKeyVerifyObservationConvention.class,
            List.of(LowKey.NAMESPACE, LowKey.OUTCOME, LowKey.REASON),
            List.of()),

    /** An incoming webhook is verified with its body, or rejected before. */
    WEBHOOK_VERIFY(
            WebhookVerifyObservationConvention.class,
            List.of(LowKey.VERIFIER, LowKey.ALGORITHM, LowKey.OUTCOME, LowKey.REASON),
            List.of()),

    /** An event is stored; {@code dispatch} outside a transaction also waits for its first attempts. */
    WEBHOOK_DISPATCH(
            WebhookDispatchObservationConvention.class,
            List.of(LowKey.OPERATION, LowKey.OUTCOME, LowKey.REASON),
            List.of(HighKey.EVENT_TYPE)),

    /** A delivery is attempted: its URL is checked, its body signed and sent. Continues the trace of the dispatch. */
    WEBHOOK_ATTEMPT(
            WebhookAttemptObservationConvention.class,
            List.of(LowKey.OUTCOME, LowKey.REASON, LowKey.STATUS),
            List.of(HighKey.DELIVERY_ID, HighKey.EVENT_ID, HighKey.ENDPOINT_ID, HighKey.EVENT_TYPE, HighKey.ATTEMPT)),

    /** The request of an attempt. Its span is the parent that the receiver sees in {@code traceparent}. */
    WEBHOOK_REQUEST(WebhookRequestObservationConvention.class, List.of(LowKey.OUTCOME, LowKey.STATUS), List.of()),

    /** A batch of outcomes is written. */
    WEBHOOK_SETTLE(WebhookSettleObservationConvention.class, List.of(LowKey.OUTCOME), List.of(HighKey.DELIVERIES)),

    /** Due deliveries are claimed in the background, or claimed and attempted by a call. */
    WEBHOOK_RETRY_ROUND(
            WebhookRetryRoundObservationConvention.class,
            List.of(LowKey.TRIGGER, LowKey.OUTCOME),
            List.of(HighKey.DELIVERIES));

    private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

    @SuppressWarnings("ImmutableEnumChecker") // made with List.of
    private final List<LowKey> lowKeys;

    @SuppressWarnings("ImmutableEnumChecker") // made with List.of
    private final List<HighKey> highKeys;

    CredentialObservation(
            Class<? extends ObservationConvention<? extends Observation.Context>> convention,
            List<LowKey> lowKeys,
            List<HighKey> highKeys) {
        this.convention = convention;
        this.lowKeys = lowKeys;
        this.highKeys = highKeys;
    }

    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
        return convention;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
        return lowKeys.toArray(KeyName[]::new);
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
        return highKeys.toArray(KeyName[]::new);
    }

    /** The keys of metrics and spans. */
    public enum LowKey implements KeyName {
        /** The namespace of the registry, or {@code none} if no registry has the one of the token. */
        NAMESPACE("namespace"),
        /** The name of the verifier. */
        VERIFIER("verifier"),
        /** The configured algorithm. */
        ALGORITHM("algorithm"),
        /** {@code dispatch} or {@code enqueue}. */
        OPERATION("operation"),
        /** {@code background}, or {@code call} of {@code processRetries}. */
        TRIGGER("trigger"),
        /** The outcome, for example {@code accepted}; {@code none} while it is running. */
        OUTCOME("outcome"),
        /** Why it failed: a stable word, or {@code none}. */
        REASON("reason"),
        /** The class of the response status, for example {@code 2xx}, or {@code none} without a response. */
        STATUS("status");

        private final String key;

        LowKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** The keys of spans alone. */
    public enum HighKey implements KeyName {
        EVENT_TYPE("credential.event.type"),
        EVENT_ID("credential.event.id"),
        DELIVERY_ID("credential.delivery.id"),
        ENDPOINT_ID("credential.endpoint.id"),
        /** The number of the attempt, from 1. */
        ATTEMPT("credential.attempt"),
        /** How many deliveries the work was for. */
        DELIVERIES("credential.deliveries");

        private final String key;

        HighKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
