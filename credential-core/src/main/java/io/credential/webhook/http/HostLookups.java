package io.credential.webhook.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Look-ups on a bounded number of separate threads, because the operating system's resolver blocks and cannot
 * be interrupted. Callers that ask for the same name share one look-up, so that a name whose servers hang
 * takes one thread only. A queued look-up is dropped when its last caller has given up.
 */
final class HostLookups implements AutoCloseable {

    private static final long IDLE_THREAD_SECONDS = 30;

    private final HostResolver resolver;

    private final ThreadPoolExecutor pool;

    private final ConcurrentMap<String, Lookup> running = new ConcurrentHashMap<>();

    HostLookups(HostResolver resolver, int threads, int queue) {
        this(resolver, threads, queue, new NamedThreads("credential-dns"));
    }

    HostLookups(HostResolver resolver, int threads, int queue, ThreadFactory threadFactory) {
        this.resolver = resolver;
        this.pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queue),
                threadFactory);
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * A look-up of the name that the caller has a share in, until it says that it has {@link Lookup#giveUp() given up}.
     * Its answer is a {@link RejectedExecutionException} if too many look-ups wait.
     */
    Lookup lookUp(String host) {
        Lookup fresh = new Lookup(host);
        while (true) {
            Lookup earlier = running.putIfAbsent(host, fresh);
            if (earlier == null) {
                break;
            }
            if (earlier.join()) {
                return earlier;
            }
            running.remove(host, earlier); // its last asker has just given up
        }
        try {
            pool.execute(fresh);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            fresh.fail(e); // else who asks for this name later would wait for a look-up that never runs
        }
        return fresh;
    }

    @Override
    public void close() {
        pool.shutdownNow();
        RejectedExecutionException closed = new RejectedExecutionException("The resolver is closed");
        running.values().forEach(lookup -> lookup.fail(closed));
    }

    /** One look-up for all who ask for the name before it is answered. */
    final class Lookup implements Runnable {

        private final String host;

        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();

        private int askers = 1;

        private boolean begun;

        private Lookup(String host) {
            this.host = host;
        }

        /** The answer, or the failure of the resolver. The future is shared: derive from it, never complete it. */
        CompletableFuture<List<InetAddress>> answer() {
            return answer;
        }

        /** False if nobody waits any more, so that it may never run. */
        private synchronized boolean join() {
            if (askers == 0 && !begun) {
                return false;
            }
            askers++;
            return true;
        }

        /** To be called once by an asker that waits no longer: the last one takes the look-up out of the queue. */
        void giveUp() {
            synchronized (this) {
                askers--;
                if (askers > 0 || begun) {
                    return;
                }
            }
            running.remove(host, this);
            pool.remove(this);
        }

        private synchronized boolean begin() {
            begun = askers > 0;
            return begun;
        }

        private void fail(Throwable cause) {
            running.remove(host, this);
            answer.completeExceptionally(cause);
        }

        @Override
        public void run() {
            if (!begin()) {
                return;
            }
            try {
                List<InetAddress> addresses = List.copyOf(resolver.resolve(host));
                running.remove(host, this);
                answer.complete(addresses);
            } catch (Throwable e) { // callers that wait must learn of any failure
                fail(e);
            }
        }
    }
}
