package io.credential.benchmarks.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.credential.benchmarks.node.NodeGroup;
import io.credential.benchmarks.node.NodeKeys;
import io.credential.benchmarks.node.NodeProcess;

/** Nodes and their database. Everything ends with this JVM: each server has a shutdown hook, as the nodes have. */
final class FaultCluster implements Closeable {

    private final FaultDatabase database;
    private final NodeGroup group;

    private FaultCluster(FaultDatabase database, NodeGroup group) {
        this.database = database;
        this.group = group;
    }

    static FaultCluster start() throws IOException {
        return start(List.of());
    }

    /** Starts nodes that cache accepted keys. */
    static FaultCluster startCaching(Duration ttl) throws IOException {
        return start(List.of(ttl.toString()));
    }

    private static FaultCluster start(List<String> settings) throws IOException {
        FaultDatabase database = FaultDatabase.start();
        List<String> arguments = new ArrayList<>(NodeKeys.generate());
        arguments.addAll(settings);
        try {
            return new FaultCluster(
                    database,
                    NodeGroup.start(ClusterNode.class, arguments, database::newProxy, "credential-cluster-faults"));
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    FaultDatabase database() {
        return database;
    }

    List<NodeProcess> nodes() {
        return group.nodes();
    }

    /** Returns the directory of what the nodes log. */
    Path logs() {
        return group.logs();
    }

    @Override
    public void close() throws IOException {
        try (database) {
            group.close();
        }
    }
}
