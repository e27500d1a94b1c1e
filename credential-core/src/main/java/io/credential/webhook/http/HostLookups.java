package io.credential.webhook.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Look-ups on threads of their own, a bounded number of them, because the operating system's resolver blocks and cannot
 * be interrupted. Who asks for a name that is being looked up waits for that answer, so that a name whose servers hang
 * takes one thread and not all.
 */
final class HostLookups implements AutoCloseable {

    private static final long IDLE_THREAD_SECONDS = 30;

    private final HostResolver resolver;

    private final ThreadPoolExecutor pool;

    private final ConcurrentMap<String, CompletableFuture<List<InetAddress>>> running = new ConcurrentHashMap<>();

    HostLookups(HostResolver resolver, int threads, int queue) {
        this.resolver = resolver;
        this.pool = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queue),
                new NamedThreads("credential-dns"));
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * The answer, or the failure of the resolver, or a {@link RejectedExecutionException} if too many look-ups wait.
     * The future is shared: derive from it, never complete it.
     */
    CompletableFuture<List<InetAddress>> lookUp(String host) {
        CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> earlier = running.putIfAbsent(host, answer);
        if (earlier != null) {
            return earlier;
        }
        try {
            pool.execute(() -> resolve(host, answer));
        } catch (RejectedExecutionException e) {
            running.remove(host, answer);
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private void resolve(String host, CompletableFuture<List<InetAddress>> answer) {
        try {
            List<InetAddress> addresses = List.copyOf(resolver.resolve(host));
            running.remove(host, answer);
            answer.complete(addresses);
        } catch (Throwable e) { // whatever a resolver throws, those who wait must hear of it
            running.remove(host, answer);
            answer.completeExceptionally(e);
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        RejectedExecutionException closed = new RejectedExecutionException("The resolver is closed");
        running.values().forEach(answer -> answer.completeExceptionally(closed));
        running.clear();
    }
}
