package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.cluster.NodeClient.Answer;
import io.credential.benchmarks.node.NodeProcess;

/** Injects one fault after another while clients call all nodes, then verifies every token on every node. */
final class FaultRun implements Closeable {

    private static final Duration PAUSE = Duration.ofSeconds(30);
    private static final Duration CUT = Duration.ofSeconds(15);

    /** Longer than the lease. */
    private static final Duration OUTAGE = Duration.ofSeconds(15);

    /** Much longer than the takeover may take, so that the checker reports by how much it was late. */
    private static final Duration TAKEOVER_WAIT = Duration.ofMinutes(1);

    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);
    private static final int LAST_ATTEMPTS = 5;
    private static final long POLL_MILLIS = 100;

    /** Faults fall on all parts of the renewal interval. */
    private static final long LONGEST_LEAD_MILLIS = 3000;

    private final FaultCluster cluster;
    private final Consumer<String> progress;
    private final CallLog log = new CallLog();
    private final KeyPool keys = new KeyPool();
    private final Workload workload = new Workload(keys, log);
    private final List<NodeClient> probes;
    private final List<FaultRound> rounds = new ArrayList<>();

    FaultRun(FaultCluster cluster, Consumer<String> progress) {
        this.cluster = cluster;
        this.progress = progress;
        this.probes =
                cluster.nodes().stream().map(node -> new NodeClient(node, log)).toList();
    }

    /** Runs the rounds, but none after one from which the nodes do not recover. */
    History run(List<Fault> faults) throws IOException, InterruptedException, ExecutionException {
        awaitHealthyLeader();
        workload.start(cluster.nodes());
        boolean recovered = true;
        for (int i = 0; i < faults.size() && recovered; i++) {
            if (faults.get(i) == Fault.FAILOVER) {
                cluster.database().startReplica();
            }
            Thread.sleep(ThreadLocalRandom.current().nextLong(LONGEST_LEAD_MILLIS));
            recovered = round(faults.get(i), awaitHealthyLeader());
        }
        workload.close();
        long lastVerificationAt = log.now();
        verifyAll();
        return new History(log.since(0), cluster.database().writes(), rounds, lastVerificationAt, processNames());
    }

    private String awaitHealthyLeader() throws IOException, InterruptedException {
        return awaitHealthy()
                .orElseThrow(() -> new IOException("The cluster is not healthy; see the logs in " + cluster.logs()));
    }

    /** Returns whether the nodes recovered. */
    private boolean round(Fault fault, String leader) throws IOException, InterruptedException {
        NodeProcess victim = cluster.nodes().stream()
                .filter(node -> Objects.requireNonNull(node.running()).name().equals(leader))
                .findFirst()
                .orElseThrow();
        int callsBefore = log.size();
        FaultRound begun = new FaultRound(rounds.size() + 1, fault, leader, log.now(), Long.MAX_VALUE, false);
        inject(fault, victim);
        if (fault.isAgainstLeader()) {
            awaitTakeover(begun, callsBefore);
        }
        if (fault == Fault.KILL) {
            victim.start();
        }
        boolean recovered = awaitHealthy().isPresent();
        FaultRound ended = new FaultRound(begun.number(), fault, leader, begun.faultedAt(), log.now(), recovered);
        rounds.add(ended);
        OptionalDouble takeover = ended.takeoverSeconds(log.since(callsBefore));
        progress.accept("round %d: %s of %s, first change elsewhere after %.2f s, %s after %.2f s"
                .formatted(
                        ended.number(),
                        fault.label(),
                        leader,
                        takeover.orElse(Double.NaN),
                        recovered ? "healthy" : "not healthy",
                        (ended.endedAt() - ended.faultedAt()) / 1e9));
        return recovered;
    }

    private void inject(Fault fault, NodeProcess victim) throws IOException, InterruptedException {
        switch (fault) {
            case KILL -> victim.kill();
            case PAUSE -> victim.pause(PAUSE);
            case CUT -> {
                victim.proxy().cut();
                Thread.sleep(CUT.toMillis());
                victim.proxy().resume();
            }
            case STALL -> {
                victim.proxy().stall();
                Thread.sleep(CUT.toMillis());
                victim.proxy().resume();
            }
            case RESTART_FAST -> cluster.database().restart("fast");
            case RESTART_IMMEDIATE -> cluster.database().restart("immediate");
            case FAILOVER -> cluster.database().failOver(OUTAGE);
        }
    }

    private void awaitTakeover(FaultRound round, int callsBefore) throws InterruptedException {
        while (round.takeoverSeconds(log.since(callsBefore)).isEmpty()
                && log.now() - round.faultedAt() < TAKEOVER_WAIT.toNanos()) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Returns the leader when it has issued a key that all nodes accept; empty if that takes too long. */
    private Optional<String> awaitHealthy() throws InterruptedException {
        long end = log.now() + RECOVERY_LIMIT.toNanos();
        while (log.now() < end) {
            Optional<String> leader = healthyLeader();
            if (leader.isPresent()) {
                return leader;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return Optional.empty();
    }

    private Optional<String> healthyLeader() {
        List<NodeClient> leaders =
                probes.stream().filter(probe -> probe.leaderName().isPresent()).toList();
        if (leaders.size() != 1) {
            return Optional.empty();
        }
        Answer issued = leaders.get(0).issue().orElse(null);
        if (issued == null || !issued.is(Outcome.YES)) {
            return Optional.empty();
        }
        workload.addIssued(issued);
        Key key = new Key(Objects.requireNonNull(issued.call().keyId()), issued.token(), 0, false);
        boolean accepted = probes.stream()
                .allMatch(probe -> probe.call(Operation.VERIFY, key)
                        .filter(answer -> answer.is(Outcome.YES))
                        .isPresent());
        return accepted ? leaders.get(0).leaderName() : Optional.empty();
    }

    private void verifyAll() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(probes.size());
        try {
            List<Future<?>> verifications = new ArrayList<>();
            for (NodeClient probe : probes) {
                verifications.add(threads.submit(() -> keys.all().forEach(key -> verify(probe, key))));
            }
            for (Future<?> verification : verifications) {
                verification.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void verify(NodeClient probe, Key key) {
        for (int attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
            Optional<Answer> answer = probe.call(Operation.VERIFY, key);
            if (answer.isPresent()
                    && (answer.get().is(Outcome.YES) || answer.get().is(Outcome.NO))) {
                return;
            }
        }
    }

    private List<String> processNames() {
        return cluster.nodes().stream()
                .map(node -> {
                    NodeProcess.Running running = node.running();
                    return running == null ? "a node that does not run" : running.name();
                })
                .toList();
    }

    @Override
    public void close() {
        workload.close();
        probes.forEach(NodeClient::close);
    }
}
