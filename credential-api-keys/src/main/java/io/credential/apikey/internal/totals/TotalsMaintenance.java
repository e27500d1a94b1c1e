package io.credential.apikey.internal.totals;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

import io.credential.internal.cluster.Leadership;
import io.credential.storage.DatabaseFault;

/**
 * Keeps the table of changes small on the leader, which counts all keys once when it becomes the leader: earlier leaders may
 * have noted nothing.
 */
public final class TotalsMaintenance {

    private static final Logger LOG = LoggerFactory.getLogger(TotalsMaintenance.class);

    private final JdbcKeyTotals totals;
    private final List<String> namespaces;
    private final Leadership leadership;
    private final InstantSource clock;
    private final Map<String, Long> countedIn = new HashMap<>();

    public TotalsMaintenance(
            JdbcKeyTotals totals, List<String> namespaces, Leadership leadership, InstantSource clock) {
        this.totals = totals;
        this.namespaces = namespaces;
        this.leadership = leadership;
        this.clock = clock;
    }

    /** Does the work of all registries once. A failure is logged, and the next run tries again. */
    public synchronized void run() {
        OptionalLong epoch = leadership.epoch();
        if (epoch.isEmpty()) {
            return;
        }
        for (String namespace : namespaces) {
            try {
                if (Objects.equals(countedIn.get(namespace), epoch.getAsLong())) {
                    totals.merge(namespace, clock.millis());
                } else {
                    totals.recount(namespace);
                    countedIn.put(namespace, epoch.getAsLong());
                }
            } catch (DataAccessException | TransactionException e) {
                LOG.warn(
                        "Could not count the API keys in the namespace '{}'; trying again: {}",
                        namespace,
                        DatabaseFault.explain(e),
                        e);
            }
        }
    }
}
