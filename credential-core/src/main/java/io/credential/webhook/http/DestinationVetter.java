package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookOptions;

/**
 * Vets destinations without blocking the caller: names are resolved on a bounded pool and within a deadline, then
 * checked by a {@link DestinationPolicy}. Thread-safe. Threads start with the first look-up.
 *
 * @since 0.1.0
 */
public final class DestinationVetter implements AutoCloseable {

    private static final int DEFAULT_THREADS = 16;

    private static final int DEFAULT_QUEUE = 1024;

    private final DestinationPolicy policy;

    private final HostLookups lookups;

    private final DeadlineTimer timer = new DeadlineTimer("credential-dns-deadline");

    /** A vetter that looks up at most 16 names at once and lets 1024 more wait. */
    public DestinationVetter(DestinationPolicy policy, HostResolver resolver) {
        this(policy, resolver, DEFAULT_THREADS, DEFAULT_QUEUE);
    }

    /**
     * @param threads how many names are looked up at once
     * @param queue how many more may wait; beyond that a name counts as not resolved
     */
    public DestinationVetter(DestinationPolicy policy, HostResolver resolver, int threads, int queue) {
        this.policy = WebhookOptions.required(policy, "policy");
        this.lookups = new HostLookups(WebhookOptions.required(resolver, "resolver"), threads, queue);
    }

    /** The policy that decides. */
    public DestinationPolicy policy() {
        return policy;
    }

    /**
     * Checks the URL, resolves its host and judges the answer. What depends on the result must not block, or must run
     * on another executor: the threads that look up names may run it.
     *
     * @param timeout how long to wait for DNS
     * @return the destination; fails with an {@link UnsafeDestinationException} and nothing else
     */
    public CompletableFuture<VettedDestination> vet(@Nullable URI url, Duration timeout) {
        WebhookOptions.required(timeout, "timeout");
        CompletableFuture<VettedDestination> result = new CompletableFuture<>();
        try {
            DestinationUrl parsed = policy.parse(url);
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

    /**
     * Like {@link #vet(URI, Duration)}, and waits for the result.
     *
     * @throws UnsafeDestinationException if the destination is refused, or the thread is interrupted while it waits
     */
    public VettedDestination vetNow(@Nullable URI url, Duration timeout) {
        try {
            return vet(url, timeout).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Nothing but DNS is waited for, so the URL has been parsed before.
            throw DestinationPolicy.noAnswer(
                    policy.parse(url), "was being resolved when the thread was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnsafeDestinationException refused) {
                throw refused;
            }
            throw new IllegalStateException("Vetting a destination failed unexpectedly", e.getCause());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the callback throws nothing; the result is told of everything
    private void resolve(DestinationUrl parsed, Duration timeout, CompletableFuture<VettedDestination> result) {
        HostLookups.Lookup lookup = lookups.lookUp(parsed.lookupName());
        Future<?> deadline;
        try {
            deadline = timer.after(timeout, () -> {
                lookup.giveUp();
                result.completeExceptionally(DestinationPolicy.noAnswer(parsed, "was not resolved in time", null));
            });
        } catch (RejectedExecutionException e) {
            lookup.giveUp();
            throw DestinationPolicy.noAnswer(parsed, "was not resolved: the resolver is closed", e);
        }
        lookup.answer().whenComplete((answer, failure) -> {
            deadline.cancel(false);
            settle(parsed, answer, failure, result);
        });
    }

    private void settle(
            DestinationUrl parsed,
            @Nullable List<InetAddress> answer,
            @Nullable Throwable failure,
            CompletableFuture<VettedDestination> result) {
        if (answer == null) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            String why = cause instanceof RejectedExecutionException
                    ? "was not resolved: too many names are being resolved"
                    : "could not be resolved";
            result.completeExceptionally(DestinationPolicy.noAnswer(parsed, why, cause));
            return;
        }
        try {
            result.complete(policy.vetAnswer(parsed, answer));
        } catch (UnsafeDestinationException e) {
            result.completeExceptionally(e);
        }
    }

    /** Stops the threads; names that are being looked up count as not resolved. */
    @Override
    public void close() {
        lookups.close();
        timer.close();
    }
}
