package io.credential.webhook.delivery.internal.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects other nodes that have died: those whose lease has not changed for ten seconds while this node could read it all
 * the time. An outage of the database or a pause of this node restarts the wait: other nodes may have been unable to renew
 * meanwhile, or may have renewed unnoticed. Not thread-safe.
 */
final class SilenceDetector {

    static final Duration SILENCE = Duration.ofSeconds(10);

    /** The longest time between two scans; after a longer one, it is not known what happened in between. */
    static final Duration LONGEST_GAP = Duration.ofSeconds(4);

    private final Map<String, Seen> nodes = new HashMap<>();
    private long lastScan;

    /**
     * Notes the current leases.
     *
     * @param epochs the number of renewals, by node
     * @param asked when they were queried, by {@link System#nanoTime}
     * @param answered when the result arrived
     * @return the nodes that have died
     */
    List<String> scan(Map<String, Long> epochs, long asked, long answered) {
        if (asked - lastScan > LONGEST_GAP.toNanos()) {
            nodes.clear();
        }
        lastScan = answered;
        nodes.keySet().retainAll(epochs.keySet());
        List<String> silent = new ArrayList<>();
        epochs.forEach((node, epoch) -> {
            Seen seen = nodes.get(node);
            if (seen == null || seen.epoch != epoch) {
                nodes.put(node, new Seen(epoch, answered));
            } else if (asked - seen.since >= SILENCE.toNanos()) {
                silent.add(node);
            }
        });
        return silent;
    }

    private record Seen(long epoch, long since) {}
}
