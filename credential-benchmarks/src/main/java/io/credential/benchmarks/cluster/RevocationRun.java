package io.credential.benchmarks.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.cluster.NodeClient.Answer;
import io.credential.benchmarks.node.NodeProcess;

/** Revokes cached keys on the leader while they are verified on the other nodes. */
final class RevocationRun {

    /** How a notification of the cache begins, after the name of its sender. */
    private static final String NOTIFICATION = "\napi-keys ";

    /** Between calls, so that the processors are not busy with them. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    /** How long a key is verified after its revocation; after a cut, the nodes try to listen again meanwhile. */
    private static final Duration OBSERVED = Duration.ofMillis(500);

    private static final Duration OBSERVED_AFTER_CUT = Duration.ofSeconds(2);
    private static final Duration OBSERVED_AFTER_TTL = Duration.ofSeconds(1);

    private static final Duration LEADER_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MILLIS = 100;

    private final FaultCluster cluster;
    private final Duration ttl;
    private final PrintStream progress;

    /** @param ttl of the cache of the nodes */
    RevocationRun(FaultCluster cluster, Duration ttl, PrintStream progress) {
        this.cluster = cluster;
        this.ttl = ttl;
        this.progress = progress;
    }

    /** Returns what the nodes other than the leader answered, two values for each round. */
    List<Denial> run(Revocation kind, int rounds) throws IOException, InterruptedException {
        List<Denial> denials = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Denial> latest = round(kind);
            denials.addAll(latest);
            progress.printf("%s, round %d of %d: %s%n", kind.label(), round, rounds, latest);
        }
        return denials;
    }

    private List<Denial> round(Revocation kind) throws IOException, InterruptedException {
        CallLog log = new CallLog();
        NodeProcess leader = awaitLeader(log);
        List<NodeProcess> others =
                cluster.nodes().stream().filter(node -> node != leader).toList();
        List<NodeClient> clients =
                others.stream().map(node -> new NodeClient(node, log)).toList();
        List<VerifyLoop> loops = new ArrayList<>();
        try (NodeClient changes = new NodeClient(leader, log)) {
            Key earlier = issue(changes);
            Key key = issue(changes);
            for (int i = 0; i < others.size(); i++) {
                // Without a pause, the most calls can pass between a cut and its discovery.
                Duration pause = kind.isCut() ? Duration.ZERO : PAUSE;
                loops.add(new VerifyLoop(running(others.get(i)), clients.get(i), log, key, pause).start());
            }
            for (VerifyLoop loop : loops) {
                loop.awaitCached();
            }
            switch (kind) {
                case NOTIFIED -> {}
                case AFTER_ANOTHER -> revoke(changes, earlier);
                case CUT -> {
                    others.forEach(node -> node.proxy().withholdListeners());
                    cutListeners(others);
                }
                case LOST, BLOCKED -> leader.proxy().withhold(NOTIFICATION);
            }
            long since = revoke(changes, key);
            if (kind == Revocation.LOST) {
                cutListeners(others);
                since = log.now();
            }
            Thread.sleep(observed(kind).toMillis());
            List<Denial> denials = new ArrayList<>();
            for (VerifyLoop loop : loops) {
                denials.add(Denial.of(loop.end(), since));
            }
            return denials;
        } finally {
            cluster.nodes().forEach(node -> node.proxy().resume());
            loops.forEach(VerifyLoop::close);
            clients.forEach(NodeClient::close);
        }
    }

    private Duration observed(Revocation kind) {
        return switch (kind) {
            case NOTIFIED, AFTER_ANOTHER -> OBSERVED;
            case BLOCKED -> ttl.plus(OBSERVED_AFTER_TTL);
            case CUT, LOST -> OBSERVED_AFTER_CUT;
        };
    }

    private static void cutListeners(List<NodeProcess> nodes) {
        for (NodeProcess node : nodes) {
            int listeners = node.proxy().cutListeners();
            if (listeners != 1) {
                throw new IllegalStateException("A node listens on " + listeners + " connections");
            }
        }
    }

    private static NodeProcess.Running running(NodeProcess node) {
        return Objects.requireNonNull(node.running(), "A node has ended");
    }

    private NodeProcess awaitLeader(CallLog log) throws IOException, InterruptedException {
        while (log.now() < LEADER_LIMIT.toNanos()) {
            for (NodeProcess node : cluster.nodes()) {
                try (NodeClient probe = new NodeClient(node, log)) {
                    if (probe.leaderName().isPresent()) {
                        return node;
                    }
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IOException("No node is the leader; see the logs in " + cluster.logs());
    }

    private static Key issue(NodeClient client) throws IOException {
        Answer issued = successful(client.issue());
        return new Key(Objects.requireNonNull(issued.call().keyId()), issued.token(), 0, false);
    }

    /** Returns when the call returned. */
    private static long revoke(NodeClient client, Key key) throws IOException {
        return successful(client.call(Operation.REVOKE, key)).call().end();
    }

    private static Answer successful(Optional<Answer> answer) throws IOException {
        return answer.filter(made -> made.is(Outcome.YES))
                .orElseThrow(() -> new IOException("The leader did not change a key: " + answer));
    }
}
