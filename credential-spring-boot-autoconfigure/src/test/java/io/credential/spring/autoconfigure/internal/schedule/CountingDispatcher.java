package io.credential.spring.autoconfigure.internal.schedule;

import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import io.credential.testing.Patience;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.WebhookDispatcher;

/** A dispatcher of the application that notes by which threads its retries are processed, and does nothing else. */
final class CountingDispatcher {

    final Queue<String> threads = new ConcurrentLinkedQueue<>();
    final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

    WebhookDispatcher proxy() {
        return (WebhookDispatcher) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WebhookDispatcher.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "processRetries" -> processRetries();
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> System.identityHashCode(proxy) == System.identityHashCode(arguments[0]);
                    case "toString" -> "counting";
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private RetryResult processRetries() {
        threads.add(Thread.currentThread().getName());
        RuntimeException thrown = failure.get();
        if (thrown != null) {
            throw thrown;
        }
        return new RetryResult(0, 0, 0);
    }

    /** Waits for so many more calls. */
    void awaitCalls(int more) {
        int enough = threads.size() + more;
        Patience.until(() -> threads.size() >= enough);
    }
}
