package io.credential.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.cluster.Call.Outcome;
import io.credential.benchmarks.node.NodeProcess;

/** A client of one node, with one connection that follows the node through its restarts. Records its calls. Not thread-safe. */
final class NodeClient implements Closeable {

    /** Longer than any pause and the wait for a connection after it. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(90);

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    private final NodeProcess node;
    private final CallLog log;
    private @Nullable Connection connection;

    NodeClient(NodeProcess node, CallLog log) {
        this.node = node;
        this.log = log;
    }

    /**
     * The answer to a call.
     *
     * @param call as it was recorded
     * @param token the new token, or empty
     * @param cached whether a key was accepted without access to the database
     */
    record Answer(Call call, String token, boolean cached) {

        boolean is(Outcome outcome) {
            return call.outcome() == outcome;
        }

        /** Leaves the token out. */
        @Override
        public String toString() {
            return call.toString();
        }
    }

    /** Issues a key; empty if the node could not be called. */
    Optional<Answer> issue() {
        return call(Operation.ISSUE, null);
    }

    /**
     * Calls the node and records the call.
     *
     * @param key null to issue one
     * @return empty if the node could not be called; then nothing was sent
     */
    Optional<Answer> call(Operation operation, @Nullable Key key) {
        Connection used = connected();
        if (used == null) {
            return Optional.empty();
        }
        String argument = key == null ? "" : operation == Operation.VERIFY ? key.token() : key.id();
        long start = log.now();
        String line = ask(used, operation + " " + argument);
        long end = log.now();
        List<String> words = List.of(line.split(" ", -1));
        Outcome outcome = switch (words.get(0)) {
            case ClusterNode.YES -> Outcome.YES;
            case ClusterNode.NO -> Outcome.NO;
            case ClusterNode.REFUSED -> Outcome.REFUSED;
            default -> Outcome.UNKNOWN;
        };
        boolean returnsToken = words.size() == 3;
        Call call = new Call(
                operation,
                used.name(),
                returnsToken ? words.get(1) : key == null ? null : key.id(),
                key == null ? 0 : key.generation() + (operation == Operation.ROTATE ? 1 : 0),
                start,
                end,
                outcome,
                outcome == Outcome.REFUSED ? words.get(1) : "");
        log.add(call);
        boolean cached = words.size() == 2 && words.get(1).equals(ClusterNode.CACHED);
        return Optional.of(new Answer(call, returnsToken ? words.get(2) : "", cached));
    }

    /** Returns the name of the process if it answers that it is the leader; not recorded. */
    Optional<String> leaderName() {
        Connection used = connected();
        return used != null && ask(used, ClusterNode.STATUS).equals(ClusterNode.LEADER)
                ? Optional.of(used.name())
                : Optional.empty();
    }

    /** Returns an empty string if there is no answer. */
    private String ask(Connection used, String request) {
        try {
            used.socket().getOutputStream().write((request + "\n").getBytes(StandardCharsets.UTF_8));
            String line = used.answers().readLine();
            if (line != null) {
                return line;
            }
        } catch (IOException e) {
            // The process has gone, or does not answer.
        }
        disconnect();
        return "";
    }

    private @Nullable Connection connected() {
        NodeProcess.Running running = node.running();
        if (connection != null && (running == null || !running.name().equals(connection.name()))) {
            disconnect();
        }
        if (connection == null && running != null) {
            connection = connect(running);
        }
        return connection;
    }

    private static @Nullable Connection connect(NodeProcess.Running running) {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), running.port()), (int)
                    CONNECT_LIMIT.toMillis());
            return new Connection(
                    running.name(),
                    socket,
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            close(socket);
            return null;
        }
    }

    private void disconnect() {
        if (connection != null) {
            close(connection.socket());
            connection = null;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is not used any more.
        }
    }

    @Override
    public void close() {
        disconnect();
    }

    private record Connection(String name, Socket socket, BufferedReader answers) {}
}
