package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.webhook.http.WebhookTransportException.Failure;
import io.credential.webhook.http.internal.DeadlineTimer;
import io.credential.webhook.http.internal.HostLookups;
import io.credential.webhook.internal.WebhookOptions;

/**
 * Vets destinations without blocking the caller: names are resolved on a bounded pool and within a deadline, then
 * checked by a {@link DestinationPolicy}. Accepted addresses of a name are cached for five seconds and checked again
 * each time. Names that take longer than a second share a few threads, so that others do not wait for them. Threads
 * start with the first lookup. Thread-safe.
 *
 * @since 0.1.0
 */
public final class DestinationVetter implements AutoCloseable {

    private static final int DEFAULT_THREADS = 16;
    private static final int DEFAULT_QUEUE = 1024;
    private static final Duration CACHED = Duration.ofSeconds(5);
    private static final int MAX_CACHED = 10_000;
    private static final Duration PARSED = Duration.ofMinutes(1);
    private static final int MAX_PARSED = 1_000;

    private final DestinationPolicy policy;
    private final HostLookups lookups;
    private final Cache<String, List<InetAddress>> recent;

    /** Parsing takes a tenth of the time of an attempt. Only what the policy accepts is here, and the policy does not change. */
    private final Cache<String, DestinationUrl> parsedTexts = Caffeine.newBuilder()
            .maximumSize(MAX_PARSED)
            .expireAfterAccess(PARSED)
            .build();

    private final DeadlineTimer timer = new DeadlineTimer("credential-dns-deadline");

    /** Creates a vetter that looks up at most 16 names at once, besides up to 64 slow ones; 1024 more may wait. */
    public DestinationVetter(DestinationPolicy policy, HostResolver resolver) {
        this(policy, resolver, DEFAULT_THREADS, DEFAULT_QUEUE, HostLookups.FAST, System::nanoTime);
    }

    /**
     * @param threads how many names are looked up at once, besides up to four times as many slow lookups
     * @param queue how many more may wait
     * @param fast how long a lookup may take before it counts as slow
     * @param nanoTime the clock for the age of cached addresses
     */
    DestinationVetter(
            DestinationPolicy policy,
            HostResolver resolver,
            int threads,
            int queue,
            Duration fast,
            LongSupplier nanoTime) {
        this.policy = WebhookOptions.required(policy, "policy");
        this.recent = Caffeine.newBuilder()
                .maximumSize(MAX_CACHED)
                .expireAfterWrite(CACHED)
                .ticker(nanoTime::getAsLong)
                .build();
        this.lookups = new HostLookups(
                WebhookOptions.required(resolver, "resolver"), threads, queue, work -> timer.after(fast, work));
    }

    /**
     * Checks the URL, resolves its host and checks the addresses. Dependent stages must not block, or must run on
     * another executor: the threads that look up names may run them.
     *
     * @param timeout how long to wait for DNS; a lookup that has not started after half of it is given up
     * @return the destination; fails with an {@link UnsafeDestinationException}, or with a {@link
     *     WebhookTransportException} if the lookup has not started: {@link Failure#OVERLOADED} if too many names are
     *     being looked up, {@link Failure#CLOSED} if the vetter is closed. Neither says anything about the destination
     */
    public CompletableFuture<VettedDestination> vet(@Nullable URI url, Duration timeout) {
        WebhookOptions.required(timeout, "timeout");
        try {
            return vet(policy.parse(url), timeout);
        } catch (UnsafeDestinationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<VettedDestination> vet(DestinationUrl parsed, Duration timeout) {
        CompletableFuture<VettedDestination> result = new CompletableFuture<>();
        try {
            if (parsed.literal().isPresent()) {
                result.complete(policy.vetLiteral(parsed));
            } else {
                resolve(parsed, timeout, result);
            }
        } catch (UnsafeDestinationException e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    /** Like {@link #vet(URI, Duration)}, but takes the text of a URL, which may be malformed. */
    public CompletableFuture<VettedDestination> vet(String url, Duration timeout) {
        WebhookOptions.required(url, "url");
        WebhookOptions.required(timeout, "timeout");
        try {
            return vet(parsedTexts.get(url, text -> policy.parse(UrlText.parse(text))), timeout);
        } catch (UnsafeDestinationException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Like {@link #vet(URI, Duration)}, but waits for the result.
     *
     * @throws UnsafeDestinationException if the destination is refused, or the thread is interrupted while it waits
     * @throws WebhookTransportException if the lookup has not started
     */
    public VettedDestination vetNow(@Nullable URI url, Duration timeout) {
        try {
            return vet(url, timeout).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Only DNS is waited for, so the URL can be parsed.
            throw policy.noAnswer(policy.parse(url), "was being resolved when the thread was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnsafeDestinationException refused) {
                throw refused;
            }
            if (e.getCause() instanceof WebhookTransportException notStarted) {
                throw notStarted;
            }
            throw new IllegalStateException("Vetting a destination failed unexpectedly", e.getCause());
        }
    }

    /** Like {@link #vetNow(URI, Duration)}, but takes the text of a URL, which may be malformed. */
    public VettedDestination vetNow(String url, Duration timeout) {
        return vetNow(UrlText.parse(WebhookOptions.required(url, "url")), timeout);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callbacks do not throw, and complete the result in every case
    private void resolve(DestinationUrl parsed, Duration timeout, CompletableFuture<VettedDestination> result) {
        List<InetAddress> addresses = recent.getIfPresent(parsed.lookupName());
        if (addresses != null) {
            result.complete(policy.vetAnswer(parsed, addresses));
            return;
        }
        HostLookups.Lookup lookup = lookups.lookUp(parsed.lookupName());
        try {
            Future<?> start = timer.after(timeout.dividedBy(2), () -> {
                // If it started later, it could time out although it is fast, or leave the request too little time.
                if (lookup.giveUp()) {
                    result.completeExceptionally(lookup.congested());
                }
            });
            result.whenComplete((destination, failure) -> start.cancel(false));
            Future<?> deadline = timer.after(
                    timeout,
                    () -> result.completeExceptionally(policy.noAnswer(parsed, "was not resolved in time", null)));
            result.whenComplete((destination, failure) -> deadline.cancel(false));
        } catch (RejectedExecutionException e) {
            // Closed. The lookup fails as well, and therefore the result.
        }
        lookup.answer().whenComplete((answer, failure) -> settle(parsed, answer, failure, result));
    }

    private void settle(
            DestinationUrl parsed,
            @Nullable List<InetAddress> answer,
            @Nullable Throwable failure,
            CompletableFuture<VettedDestination> result) {
        if (answer == null) {
            result.completeExceptionally(
                    failure instanceof WebhookTransportException
                            ? failure
                            : policy.noAnswer(parsed, "could not be resolved", failure));
            return;
        }
        try {
            VettedDestination destination = policy.vetAnswer(parsed, answer);
            // Only now: if a refused name were refused faster the next time, it could be told from an unknown one.
            recent.put(parsed.lookupName(), answer);
            result.complete(destination);
        } catch (UnsafeDestinationException e) {
            result.completeExceptionally(e);
        }
    }

    /** Stops the threads. Lookups that have not completed fail with {@link Failure#CLOSED}. */
    @Override
    public void close() {
        lookups.close();
        timer.close();
    }
}
