package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.credential.benchmarks.node.NodeProcess;
import io.credential.secret.RandomHex;

/**
 * Three nodes and their database. Everything ends with this JVM: a shutdown hook kills the nodes, and each server has one of
 * its own.
 */
final class FaultCluster implements Closeable {

    private static final int NODES = 3;
    private static final int KEY_BYTES = 32;

    private final FaultDatabase database;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final Path logs;

    private FaultCluster(FaultDatabase database) throws IOException {
        this.database = database;
        this.logs = Files.createTempDirectory("credential-cluster-faults");
    }

    static FaultCluster start() throws IOException {
        return start(List.of());
    }

    /** Starts nodes that cache accepted keys. */
    static FaultCluster startCaching(Duration ttl) throws IOException {
        return start(List.of(ttl.toString()));
    }

    private static FaultCluster start(List<String> settings) throws IOException {
        FaultCluster cluster = new FaultCluster(FaultDatabase.start());
        RandomHex random = new RandomHex(new SecureRandom());
        List<String> arguments = new ArrayList<>(List.of(random.next(KEY_BYTES), random.next(KEY_BYTES)));
        arguments.addAll(settings);
        try {
            for (int number = 1; number <= NODES; number++) {
                String name = "node-" + number;
                cluster.nodes.add(new NodeProcess(
                        name,
                        cluster.database.newProxy(),
                        ClusterNode.class,
                        arguments,
                        cluster.logs.resolve(name + ".log")));
            }
            Runtime.getRuntime().addShutdownHook(new Thread(cluster::kill, "kill-nodes"));
            for (NodeProcess node : cluster.nodes) {
                node.start();
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    FaultDatabase database() {
        return database;
    }

    List<NodeProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns the directory of what the nodes log. */
    Path logs() {
        return logs;
    }

    private void kill() {
        for (NodeProcess node : nodes) {
            node.closeForcibly();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (NodeProcess node : nodes) {
                node.close();
            }
        } finally {
            kill();
            database.close();
        }
    }
}
