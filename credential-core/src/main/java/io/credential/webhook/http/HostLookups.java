package io.credential.webhook.http;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Looks up host names on a bounded number of separate threads, because the operating system's resolver blocks and cannot
 * be interrupted. Callers that ask for the same name share one look-up. A queued look-up is dropped when its last caller
 * has given up.
 *
 * <p>Look-ups that hang do not block others. A look-up that takes longer than a second is slow, and another thread
 * may start in its place, up to four for each regular thread. The next look-ups of that name run on separate threads, a
 * quarter as many, which all slow names share, until one is answered within a second, or for 30 seconds.
 */
final class HostLookups implements AutoCloseable {

    /** How long a look-up may take before it is slow. */
    static final Duration FAST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(HostLookups.class);
    private static final int MAX_REPLACED = 4;
    private static final int SLOW_SHARE = 4;
    private static final int MAX_SLOW_NAMES = 10_000;

    /** A single lost packet makes a look-up slow, and confines the name no longer than this. */
    private static final Duration SLOW_FOR = Duration.ofSeconds(30);

    private static final long IDLE_THREAD_SECONDS = 30;

    private final HostResolver resolver;
    private final int threads;
    private final Function<Runnable, Future<?>> alarm;
    private final ThreadPoolExecutor regular;
    private final ThreadPoolExecutor confined;
    private final ConcurrentMap<String, Lookup> running = new ConcurrentHashMap<>();

    private final Cache<String, Boolean> slowNames = Caffeine.newBuilder()
            .maximumSize(MAX_SLOW_NAMES)
            .expireAfterWrite(SLOW_FOR)
            .build();

    private int replaced;

    /**
     * @param threads how many names are looked up at once; slow look-ups are not counted
     * @param queue how many more may wait, and as many slow ones
     * @param alarm runs work when a look-up that begins now has become slow
     */
    HostLookups(HostResolver resolver, int threads, int queue, Function<Runnable, Future<?>> alarm) {
        this(resolver, threads, queue, alarm, new NamedThreads("credential-dns"));
    }

    HostLookups(
            HostResolver resolver,
            int threads,
            int queue,
            Function<Runnable, Future<?>> alarm,
            ThreadFactory threadFactory) {
        this.resolver = resolver;
        this.threads = threads;
        this.alarm = alarm;
        this.regular = pool(threads, queue, threadFactory);
        this.confined = pool(Math.max(1, threads / SLOW_SHARE), queue, threadFactory);
    }

    private static ThreadPoolExecutor pool(int threads, int queue, ThreadFactory threadFactory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queue),
                threadFactory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Looks up the name, or joins the look-up that others have asked for.
     *
     * @return the look-up. Its answer fails with a {@link WebhookTransportException} if too many look-ups wait, no thread
     *     can be created, or this is closed, and with the failure of the resolver otherwise
     */
    Lookup lookUp(String host) {
        Lookup fresh = new Lookup(host, slowNames.getIfPresent(host) == null ? regular : confined);
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
            fresh.pool.execute(fresh);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Else whoever asks for this name later would wait for a look-up that never runs.
            fresh.fail(fresh.pool.isShutdown() ? fresh.closed() : fresh.congested());
        }
        return fresh;
    }

    /** Lets another thread start in the place of a slow look-up, or takes that place back when it has ended. */
    private synchronized void replace(int change) {
        replaced += change;
        int size = threads + Math.min(replaced, MAX_REPLACED * threads);
        regular.setCorePoolSize(Math.min(size, regular.getMaximumPoolSize())); // must never exceed the maximum
        regular.setMaximumPoolSize(size);
        regular.setCorePoolSize(size);
    }

    @Override
    public void close() {
        regular.shutdown();
        confined.shutdown();
        running.values().forEach(lookup -> lookup.fail(lookup.closed())); // before the interrupt fails them otherwise
        regular.shutdownNow();
        confined.shutdownNow();
    }

    /** One look-up for all who ask for the name before it is answered. */
    final class Lookup implements Runnable {

        private final String host;

        private final ThreadPoolExecutor pool;

        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();

        private int askers = 1;

        private boolean begun;

        private boolean slow;

        private boolean ended;

        private Lookup(String host, ThreadPoolExecutor pool) {
            this.host = host;
            this.pool = pool;
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

        /**
         * Gives up, unless the look-up has begun. The last asker takes it out of the queue. Each asker may call this once.
         *
         * @return false if it has begun
         */
        boolean giveUp() {
            synchronized (this) {
                if (begun) {
                    return false;
                }
                askers--;
                if (askers > 0) {
                    return true;
                }
            }
            running.remove(host, this);
            pool.remove(this);
            return true;
        }

        /** The failure of a look-up that did not begin for lack of threads. */
        WebhookTransportException congested() {
            return new WebhookTransportException(
                    Failure.OVERLOADED,
                    "The host " + host
                            + " was not looked up, because too many host names are being looked up; try again later");
        }

        private WebhookTransportException closed() {
            return new WebhookTransportException(
                    Failure.CLOSED, "The host " + host + " was not looked up, because the resolver is closed");
        }

        private synchronized boolean begin() {
            begun = askers > 0;
            return begun;
        }

        private synchronized void late() {
            if (ended) {
                return;
            }
            slow = true;
            slowNames.put(host, true);
            LOG.debug("The look-up of the host {} is slow; the next ones share few threads with others", host);
            if (pool.equals(regular)) {
                replace(1);
            }
        }

        /** A failure within a second says nothing: the JDK remembers failures of look-ups that have hung. */
        private synchronized void end(boolean answered) {
            ended = true;
            if (slow) {
                slowNames.put(host, true); // it may have hung for longer than names are remembered
                if (pool.equals(regular)) {
                    replace(-1);
                }
            } else if (answered) {
                slowNames.invalidate(host);
            }
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
                List<InetAddress> addresses = resolve();
                running.remove(host, this);
                answer.complete(addresses);
            } catch (Throwable e) { // callers that wait must learn of any failure
                fail(e);
            }
        }

        private List<InetAddress> resolve() throws Exception {
            Future<?> late = alarm.apply(this::late);
            boolean answered = false;
            try {
                List<InetAddress> addresses = List.copyOf(resolver.resolve(host));
                answered = true;
                return addresses;
            } finally {
                late.cancel(false);
                end(answered);
            }
        }
    }
}
