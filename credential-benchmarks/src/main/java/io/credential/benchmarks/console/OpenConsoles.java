package io.credential.benchmarks.console;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.Load;
import io.credential.benchmarks.host.HostProcess;

/**
 * Consoles in as many sessions that are refreshed every five seconds as the script of the pages does, half of them with the
 * overview and half with the deliveries. They refresh one after the other, evenly.
 */
final class OpenConsoles implements AutoCloseable {

    static final int CONSOLES = 20;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final int THREADS = 4;
    private static final int WARM_UP_THREADS = 2;

    private final List<ConsoleSession> sessions = new ArrayList<>();
    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(THREADS);
    private final List<ScheduledFuture<?>> refreshes = new ArrayList<>();

    OpenConsoles(HostProcess host) throws IOException, InterruptedException {
        for (int i = 0; i < CONSOLES; i++) {
            sessions.add(ConsoleSession.logIn(host));
        }
    }

    /** Refreshes them without a pause, this many times in all. */
    void refresh(int times) throws InterruptedException, ExecutionException {
        List<Refresh> consoles = consoles();
        new Load(
                        WARM_UP_THREADS,
                        times,
                        number -> consoles.get(number % CONSOLES).run())
                .run();
    }

    private List<Refresh> consoles() {
        return IntStream.range(0, CONSOLES)
                .mapToObj(i -> new Refresh(sessions.get(i), i % 2 == 0 ? "" : "deliveries"))
                .toList();
    }

    void open() {
        List<Refresh> consoles = consoles();
        for (int i = 0; i < CONSOLES; i++) {
            refreshes.add(pool.scheduleAtFixedRate(
                    consoles.get(i), i * INTERVAL_MILLIS / CONSOLES, INTERVAL_MILLIS, TimeUnit.MILLISECONDS));
        }
    }

    /** Fails if a refresh has failed. */
    void hide() throws ExecutionException, InterruptedException {
        for (ScheduledFuture<?> refresh : refreshes) {
            if (!refresh.cancel(false)) {
                refresh.get();
            }
        }
        refreshes.clear();
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    /** Of one console; each begins after the end of the one before. */
    private static final class Refresh implements Runnable {

        private final ConsoleSession session;
        private final String page;
        private volatile @Nullable String tag;

        Refresh(ConsoleSession session, String page) {
            this.session = session;
            this.page = page;
        }

        @Override
        public void run() {
            try {
                tag = session.get(page, tag).tag();
            } catch (IOException e) {
                throw new IllegalStateException("A console could not be refreshed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the program ends
            }
        }
    }
}
