package io.credential.webhook.delivery.internal.attempt;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.seal.internal.SealException;
import io.credential.seal.internal.UnknownSealKeyException;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.Subscriber;
import io.credential.webhook.http.WebhookResponse;

/** Tells a listener how endpoints responded, and logs the failures that are not theirs. Thread-safe. */
public final class AttemptReporter {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptReporter.class);

    private static final int MAX_REPORTED_KEYS = 100;

    private final Listener listener;
    private final Set<String> reportedKeys = ConcurrentHashMap.newKeySet();

    /** Receives the result of each attempt, unless it failed because of this node; must not block. */
    @FunctionalInterface
    public interface Listener {

        /**
         * @param subscriber the endpoint as it was attempted
         * @param response null if the request could not be sent, or was not answered
         */
        void attempted(String endpointId, Subscriber subscriber, @Nullable WebhookResponse response);
    }

    public AttemptReporter(Listener listener) {
        this.listener = listener;
    }

    public void answered(ClaimedDelivery delivery, Subscriber subscriber, WebhookResponse response) {
        listener.attempted(delivery.endpointId(), subscriber, response);
    }

    public void failed(ClaimedDelivery delivery, Subscriber subscriber, @Nullable Throwable failure) {
        if (OutcomePolicy.isOfNode(failure)) {
            LOG.debug("Postponed the delivery {}", delivery.deliveryId(), failure);
        } else if (OutcomePolicy.isOfEndpoint(failure)) {
            listener.attempted(delivery.endpointId(), subscriber, null);
        } else if (failure instanceof UnknownSealKeyException missing) {
            report(missing.keyId());
        } else if (failure instanceof SealException) {
            LOG.debug("The secret of the endpoint {} cannot be opened", delivery.endpointId(), failure);
        } else {
            LOG.error("An attempt of the delivery {} failed unexpectedly", delivery.deliveryId(), failure);
        }
    }

    /** Once for each key. */
    private void report(String missingKey) {
        if (reportedKeys.size() < MAX_REPORTED_KEYS && reportedKeys.add(missingKey)) {
            LOG.warn(
                    "The keyring of this node lacks the key '{}', with which secrets of webhook endpoints are sealed. This node"
                            + " does not attempt their deliveries; add the key to the keyring and restart",
                    missingKey);
        }
    }
}
