package io.credential.webhook.http.internal;

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

import io.credential.internal.concurrent.DaemonThreads;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransportException;
import io.credential.webhook.http.WebhookTransportException.Failure;

/**
 * Looks up host names on a bounded number of separate threads, because the operating system's resolver blocks and
 * cannot be interrupted. Callers that ask for the same name share one lookup. A queued lookup is dropped when its last
 * caller has given up.
 *
 * <p>Lookups that hang do not block others. A lookup that takes longer than a second is slow, and another thread may
 * replace its thread, up to four for each regular thread. Further lookups of that name run on separate threads, a
 * quarter as many, which all slow names share, until one is answered within a second, or for 30 seconds.
 */
public final class HostLookups implements AutoCloseable {

    /** How long a lookup may take before it counts as slow. */
    public static final Duration FAST = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(HostLookups.class);
    private static final int MAX_REPLACED = 4;
    private static final int SLOW_SHARE = 4;
    private static final int MAX_SLOW_NAMES = 10_000;

    /** Short, since a single lost packet is enough to make a lookup slow. */
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
     * @param threads how many names are looked up at once, not counting slow lookups
     * @param queue how many more may wait, and as many slow ones
     * @param alarm runs work when a lookup that starts now has become slow
     */
    public HostLookups(HostResolver resolver, int threads, int queue, Function<Runnable, Future<?>> alarm) {
        this(resolver, threads, queue, alarm, DaemonThreads.numbered("credential-dns"));
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
     * Looks up the name, or joins a lookup of that name that has not completed.
     *
     * @return the lookup. Its answer fails with a {@link WebhookTransportException} if too many lookups wait, no thread
     *     can be created, or this is closed, and otherwise with the failure of the resolver
     */
    public Lookup lookUp(String host) {
        Lookup fresh = new Lookup(host, slowNames.getIfPresent(host) == null ? regular : confined);
        while (true) {
            Lookup earlier = running.putIfAbsent(host, fresh);
            if (earlier == null) {
                break;
            }
            if (earlier.join()) {
                return earlier;
            }
            running.remove(host, earlier); // its last caller has just given up
        }
        try {
            fresh.pool.execute(fresh);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Otherwise, later callers would wait for a lookup that never runs.
            fresh.fail(fresh.pool.isShutdown() ? fresh.closed() : fresh.congested());
        }
        return fresh;
    }

    /** Adds a thread to replace one that is slow, or removes it when the slow lookup has ended. */
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
        running.values()
                .forEach(lookup -> lookup.fail(lookup.closed())); // before the interrupt fails them in another way
        regular.shutdownNow();
        confined.shutdownNow();
    }

    /** One lookup, shared by all callers that ask for the name before it is answered. */
    public final class Lookup implements Runnable {

        private final String host;

        private final ThreadPoolExecutor pool;

        private final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();

        private int callers = 1;

        private boolean started;

        private boolean slow;

        private boolean ended;

        private Lookup(String host, ThreadPoolExecutor pool) {
            this.host = host;
            this.pool = pool;
        }

        /** Returns the answer, or the failure of the resolver. Never complete the future: it is shared. */
        public CompletableFuture<List<InetAddress>> answer() {
            return answer;
        }

        /** Returns false if all callers have given up, so that it may never run. */
        private synchronized boolean join() {
            if (callers == 0 && !started) {
                return false;
            }
            callers++;
            return true;
        }

        /**
         * Gives up, unless the lookup has started. The last caller removes it from the queue. Each caller may call this
         * once.
         *
         * @return false if it has started
         */
        public boolean giveUp() {
            synchronized (this) {
                if (started) {
                    return false;
                }
                callers--;
                if (callers > 0) {
                    return true;
                }
            }
            running.remove(host, this);
            pool.remove(this);
            return true;
        }

        /** Returns the failure of a lookup that did not start for lack of threads. */
        public WebhookTransportException congested() {
            return new WebhookTransportException(
                    Failure.OVERLOADED,
                    "The host " + host
                            + " was not looked up, because too many host names are being looked up; try again later");
        }

        private WebhookTransportException closed() {
            return new WebhookTransportException(
                    Failure.CLOSED, "The host " + host + " was not looked up, because the resolver is closed");
        }

        private synchronized boolean start() {
            started = callers > 0;
            return started;
        }

        private synchronized void late() {
            if (ended) {
                return;
            }
            slow = true;
            slowNames.put(host, true);
            LOG.debug(
                    "The lookup of the host {} is slow; its next lookups share a few threads with other slow names",
                    host);
            if (pool.equals(regular)) {
                replace(1);
            }
        }

        /** A failure within a second proves nothing: the JDK caches failures of lookups that have hung. */
        private synchronized void end(boolean answered) {
            ended = true;
            if (slow) {
                slowNames.put(host, true); // it may have taken longer than the entry lasts
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
            if (!start()) {
                return;
            }
            try {
                List<InetAddress> addresses = resolve();
                running.remove(host, this);
                answer.complete(addresses);
            } catch (OutOfMemoryError e) { // no thread for the alarm
                fail(congested());
            } catch (Throwable e) { // waiting callers must be told of every failure
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
