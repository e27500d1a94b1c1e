package io.credential.webhook.http;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.signature.SignedWebhook;
import io.credential.webhook.signature.WebhookSigner;

/**
 * One call of {@link WebhookSender#send}. Makes attempts, each with a new signature, until the receiver accepts or permanently
 * refuses the webhook, or no attempts are left. Not thread-safe.
 */
final class SendCall {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final WebhookSigner signer;
    private final SendHttp http;
    private final SendRetry retry;
    private final Pauses pauses;
    private final String deliveryId;
    private int attempts;

    SendCall(WebhookSigner signer, SendHttp http, SendRetry retry, Pauses pauses, String deliveryId) {
        this.signer = signer;
        this.http = http;
        this.retry = retry;
        this.pauses = pauses;
        this.deliveryId = deliveryId;
    }

    String deliveryId() {
        return deliveryId;
    }

    /** Returns the number of attempts made so far. */
    int attempts() {
        return attempts;
    }

    /**
     * @throws WebhookException {@code webhook/unsafe-destination}, {@code webhook/send-failed}, or what signing throws
     */
    SendResult send(@Nullable URI url, byte @Nullable [] body) {
        long start = System.nanoTime();
        while (true) {
            attempts++;
            WebhookException failure;
            Duration asked = Duration.ZERO;
            try {
                WebhookResponse response = attempt(url, body);
                if (response.successful()) {
                    return new SendResult(response.status(), attempts, Duration.ofNanos(System.nanoTime() - start));
                }
                failure = failed("the receiver answered " + response.status(), null);
                if (response.status() != 429 && response.status() < 500) {
                    throw failure;
                }
                asked = response.retryAfter(pauses.clock().instant()).orElse(Duration.ZERO);
            } catch (UnsafeDestinationException e) {
                failure = new WebhookException(e.errorCode(), Objects.requireNonNull(e.getMessage()), e);
                // The number of attempts must not reveal whether a name resolves to an internal address or not at all.
                if (e.permanent()) {
                    throw failure;
                }
            } catch (WebhookTransportException e) {
                failure = failed(e.getMessage(), e);
                if (e.failure() == Failure.CLOSED) {
                    throw failure;
                }
            }
            if (attempts >= retry.maxAttempts()) {
                throw failure;
            }
            pause(asked);
        }
    }

    private WebhookResponse attempt(@Nullable URI url, byte @Nullable [] body) {
        long start = System.nanoTime();
        VettedDestination destination = http.destinations().vetNow(url, http.requestTimeout());
        SignedWebhook signed = signer.signUnaudited(body);
        Map<String, String> headers = new LinkedHashMap<>(signed.headers());
        headers.put("Content-Type", "application/json");
        headers.put(WebhookSigner.DELIVERY_ID_HEADER, deliveryId);
        Duration left = http.requestTimeout().minusNanos(System.nanoTime() - start);
        byte[] sent = body == null ? new byte[0] : body; // signing has refused a null already
        return await(http.transport()
                .send(new WebhookRequest(destination, headers, sent, left.compareTo(SHORTEST) < 0 ? SHORTEST : left)));
    }

    private WebhookResponse await(CompletableFuture<WebhookResponse> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw interrupted(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WebhookTransportException failure) {
                throw failure;
            }
            throw failed("the transport failed unexpectedly", e.getCause());
        }
    }

    /** Pauses for as long as the receiver asks for, if that is longer, but not beyond the longest pause. */
    private void pause(Duration asked) {
        Duration pause = retry.pauseAfter(attempts, pauses.random());
        Duration wished = asked.compareTo(retry.max()) > 0 ? retry.max() : asked;
        try {
            pauses.pause().await(pause.compareTo(wished) < 0 ? wished : pause);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private WebhookException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return failed("the thread was interrupted", cause);
    }

    private WebhookException failed(@Nullable String why, @Nullable Throwable cause) {
        return new WebhookException(
                WebhookErrorCode.SEND_FAILED,
                "The webhook was not accepted, attempt " + attempts + " of " + retry.maxAttempts() + ": " + why,
                cause);
    }

    record Pauses(Pause pause, RandomGenerator random, InstantSource clock) {}

    /** Waits between two attempts. */
    @FunctionalInterface
    interface Pause {
        void await(Duration length) throws InterruptedException;
    }
}
