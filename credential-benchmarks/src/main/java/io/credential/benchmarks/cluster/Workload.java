package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.cluster.NodeClient.Answer;
import io.credential.benchmarks.node.NodeProcess;

/** Clients that call every node all the time: one changes keys and one verifies tokens, each at a limited rate. */
final class Workload implements Closeable {

    private static final Duration BETWEEN_CHANGES = Duration.ofMillis(100);
    private static final Duration BETWEEN_VERIFICATIONS = Duration.ofMillis(50);

    /** Half of the changes issue a key; the others revoke or rotate one. */
    private static final List<Operation> CHANGES =
            List.of(Operation.ISSUE, Operation.ISSUE, Operation.REVOKE, Operation.ROTATE);

    private final KeyPool keys;
    private final CallLog log;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    Workload(KeyPool keys, CallLog log) {
        this.keys = keys;
        this.log = log;
    }

    void start(List<NodeProcess> nodes) {
        for (NodeProcess node : nodes) {
            start("changes", node, BETWEEN_CHANGES, this::change);
            start("verifications", node, BETWEEN_VERIFICATIONS, this::verify);
        }
    }

    private void start(String name, NodeProcess node, Duration interval, Consumer<NodeClient> call) {
        Thread thread = new Thread(
                () -> {
                    try (NodeClient client = new NodeClient(node, log)) {
                        repeat(interval, () -> call.accept(client));
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void repeat(Duration interval, Runnable call) {
        try {
            while (!stopped) {
                long start = log.now();
                call.run();
                long remaining = interval.toNanos() - (log.now() - start);
                Thread.sleep(Math.max(0, remaining / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void verify(NodeClient client) {
        keys.any().ifPresent(key -> client.call(Operation.VERIFY, key));
    }

    private void change(NodeClient client) {
        Operation operation = CHANGES.get(ThreadLocalRandom.current().nextInt(CHANGES.size()));
        Optional<Key> taken = operation == Operation.ISSUE ? Optional.empty() : keys.take();
        if (taken.isEmpty()) {
            client.issue().ifPresent(this::addIssued);
        } else {
            change(client, operation, taken.get());
        }
    }

    /** Records a new key, if there is one. */
    void addIssued(Answer answer) {
        String id = answer.call().keyId();
        if (answer.is(Outcome.YES) && id != null) {
            keys.add(new Key(id, answer.token(), answer.call().generation(), false));
        }
    }

    /** A key whose last change had no clear answer is only revoked: the token of a rotation may have been lost. */
    private void change(NodeClient client, Operation wanted, Key key) {
        Operation operation = key.uncertain() ? Operation.REVOKE : wanted;
        Answer answer = client.call(operation, key).orElse(null);
        if (answer == null) {
            keys.putBack(key);
        } else if (answer.is(Outcome.REFUSED) || answer.is(Outcome.UNKNOWN)) {
            keys.putBack(answer.call().mayHaveChanged() ? key.uncertainFromNowOn() : key);
        } else if (operation == Operation.ROTATE) {
            addIssued(answer);
        }
    }

    /** Lets every client finish its call. */
    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
