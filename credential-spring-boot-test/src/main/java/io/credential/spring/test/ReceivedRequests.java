package io.credential.spring.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/** Records the requests of a receiver, and waits for them. Thread-safe. */
final class ReceivedRequests {

    private final List<ReceivedWebhook> received = new ArrayList<>();
    private final List<Refusal> refused = new ArrayList<>();
    private boolean closed;

    synchronized void add(ReceivedWebhook webhook) {
        received.add(webhook);
        notifyAll();
    }

    synchronized void refuse(String path, @Nullable String eventType, String code) {
        refused.add(new Refusal(path, eventType, code));
        notifyAll();
    }

    synchronized List<ReceivedWebhook> received() {
        return List.copyOf(received);
    }

    synchronized List<ReceivedWebhook> received(String eventType) {
        return received.stream().filter(ofType(eventType)).toList();
    }

    synchronized void clear() {
        received.clear();
        refused.clear();
    }

    /** Lets those that wait fail. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    ReceivedWebhook await(String eventType, Duration within) {
        return await(1, ofType(eventType), refusal -> refusal.mayBe(eventType), "of the type " + eventType, within)
                .get(0);
    }

    List<ReceivedWebhook> await(int count, Duration within) {
        return await(count, webhook -> true, refusal -> true, "of any type", within);
    }

    synchronized void requireNone(String eventType) {
        if (!received(eventType).isEmpty()) {
            throw new AssertionError("Webhooks of the type " + eventType + " were received: " + received(eventType));
        }
        if (refused.stream().anyMatch(refusal -> refusal.mayBe(eventType))) {
            throw new AssertionError("Webhooks were received, but do not verify: " + refused);
        }
    }

    private synchronized List<ReceivedWebhook> await(
            int count, Predicate<ReceivedWebhook> wanted, Predicate<Refusal> fatal, String which, Duration within) {
        long start = System.nanoTime();
        List<ReceivedWebhook> found = received.stream().filter(wanted).toList();
        while (found.size() < count) {
            if (closed) {
                throw WebhookReceiver.closed();
            }
            long left = within.toNanos() - (System.nanoTime() - start);
            if (left <= 0 || refused.stream().anyMatch(fatal)) {
                throw new AssertionError("Expected " + count + " webhooks " + which + " within " + within + ", but "
                        + found.size() + " were received. Received: " + received + "; refused: " + refused
                        + (refused.isEmpty()
                                ? ". Does the endpoint subscribe to the type, and does it have the audience of the event?"
                                : ""));
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting for webhooks", e);
            }
            found = received.stream().filter(wanted).toList();
        }
        return found;
    }

    private static Predicate<ReceivedWebhook> ofType(String eventType) {
        return webhook -> eventType.equals(webhook.eventType());
    }

    /** A request that does not verify. The type of its event is what it claims; null if it claims none. */
    private record Refusal(String path, @Nullable String eventType, String code) {

        boolean mayBe(String wanted) {
            return eventType == null || eventType.equals(wanted);
        }

        @Override
        public String toString() {
            return path + " (" + code + ")";
        }
    }
}
