package io.credential.webhook.http;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import io.credential.testing.Patience;

/** A vetter all of whose threads are busy with names that hang, and whose queue has room for one more name. */
public final class CongestedLookups implements AutoCloseable {

    private static final int THREADS = 1 + 4; // a regular one, and those in the place of slow ones

    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final CountDownLatch released = new CountDownLatch(1);

    private final DestinationVetter vetter = new DestinationVetter(
            DestinationPolicy.builder().build(), this::resolve, 1, 1, Duration.ofMillis(1), System::nanoTime);

    private final List<CompletableFuture<VettedDestination>> waiting = new ArrayList<>();

    public CongestedLookups() {
        for (int i = 1; i <= THREADS; i++) {
            int busy = i;
            lookUp("hang" + i);
            Patience.until(() -> asked.size() == busy);
        }
    }

    public DestinationVetter vetter() {
        return vetter;
    }

    /** Returns the names whose lookups have begun. */
    public Set<String> asked() {
        return asked;
    }

    /** Takes the last place in the queue, so that further names are refused at once. */
    public void fillQueue() {
        lookUp("last");
    }

    private void lookUp(String label) {
        waiting.add(vetter.vet(URI.create("https://" + label + ".example.com/"), Patience.LIMIT));
    }

    /** Lets all lookups end. */
    public void release() {
        released.countDown();
    }

    private List<InetAddress> resolve(String host) {
        asked.add(host);
        Sending.hang(released);
        return List.of(Sending.address("93.184.215.14"));
    }

    @Override
    public void close() {
        release();
        vetter.close();
    }
}
