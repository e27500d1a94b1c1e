package io.credential.benchmarks.node;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three nodes of one database. A shutdown hook kills them, so that they do not outlive this process. */
public final class NodeGroup implements Closeable {

    private static final int NODES = 3;

    private final List<NodeProcess> nodes;
    private final Path logs;

    private NodeGroup(List<NodeProcess> nodes, Path logs) {
        this.nodes = List.copyOf(nodes);
        this.logs = logs;
    }

    /** Opens a proxy to the database. */
    @FunctionalInterface
    public interface Proxies {
        DatabaseProxy open() throws IOException;
    }

    /**
     * Starts the nodes.
     *
     * @param program see {@link NodeProcess}
     * @param arguments that all nodes get after the URL
     * @param logs the prefix of the directory of what they log
     */
    public static NodeGroup start(Class<?> program, List<String> arguments, Proxies proxies, String logs)
            throws IOException {
        Path directory = Files.createTempDirectory(logs);
        List<NodeProcess> nodes = new ArrayList<>();
        for (int number = 1; number <= NODES; number++) {
            String name = "node-" + number;
            nodes.add(new NodeProcess(name, proxies.open(), program, arguments, directory.resolve(name + ".log")));
        }
        NodeGroup group = new NodeGroup(nodes, directory);
        Runtime.getRuntime().addShutdownHook(new Thread(group::kill, "kill-nodes"));
        try {
            for (NodeProcess node : nodes) {
                node.start();
            }
            return group;
        } catch (IOException | RuntimeException e) {
            group.kill();
            throw e;
        }
    }

    public List<NodeProcess> nodes() {
        return nodes;
    }

    /** Returns the directory of what the nodes log. */
    public Path logs() {
        return logs;
    }

    private void kill() {
        nodes.forEach(NodeProcess::closeForcibly);
    }

    /** Lets the nodes end, and kills those that do not. */
    @Override
    public void close() throws IOException {
        try {
            for (NodeProcess node : nodes) {
                node.close();
            }
        } finally {
            kill();
        }
    }
}
