package io.credential.observation;

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
    API_KEY_VERIFY {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return ApiKeyVerifyObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.NAMESPACE, LowKey.OUTCOME, LowKey.REASON};
        }
    },

    /** An incoming webhook is verified with its body, or rejected before. */
    WEBHOOK_VERIFY {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookVerifyObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.VERIFIER, LowKey.ALGORITHM, LowKey.OUTCOME, LowKey.REASON};
        }
    },

    /** An event is stored; {@code dispatch} outside a transaction also waits for its first attempts. */
    WEBHOOK_DISPATCH {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookDispatchObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.OPERATION, LowKey.OUTCOME, LowKey.REASON};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {HighKey.EVENT_TYPE};
        }
    },

    /** A delivery is attempted: its URL is checked, its body signed and sent. Continues the trace of the dispatch. */
    WEBHOOK_ATTEMPT {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookAttemptObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.OUTCOME, LowKey.REASON, LowKey.STATUS};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {
                HighKey.DELIVERY_ID, HighKey.EVENT_ID, HighKey.ENDPOINT_ID, HighKey.EVENT_TYPE, HighKey.ATTEMPT
            };
        }
    },

    /** The request of an attempt. Its span is the parent that the receiver sees in {@code traceparent}. */
    WEBHOOK_REQUEST {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookRequestObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.OUTCOME, LowKey.STATUS};
        }
    },

    /** A batch of outcomes is written. */
    WEBHOOK_SETTLE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookSettleObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {HighKey.DELIVERIES};
        }
    },

    /** Due deliveries are claimed in the background, or claimed and attempted by a call. */
    WEBHOOK_RETRY_ROUND {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return WebhookRetryRoundObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {LowKey.TRIGGER, LowKey.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {HighKey.DELIVERIES};
        }
    };

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
