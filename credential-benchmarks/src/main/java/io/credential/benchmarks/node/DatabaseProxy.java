package io.credential.benchmarks.node;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * Stands between one node and the database. Can reset and refuse connections, and can stop passing bytes on without
 * closing a connection: all of them, or certain requests. Survives restarts of the database, and can lead to another one.
 * Thread-safe.
 */
public final class DatabaseProxy implements Closeable {

    /** Sent only on the connection that receives notifications. */
    private static final String LISTEN = "LISTEN ";

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BACKLOG = 50;

    private final String jdbcUrl;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Set<Socket> listeners = ConcurrentHashMap.newKeySet();
    private final Object lock = new Object();
    private int databasePort;
    private boolean refusing;
    private boolean stalled;
    private @Nullable String withheld;
    private boolean closed;

    /** @param jdbcUrl the URL of a database on this machine, with its port */
    public DatabaseProxy(String jdbcUrl) throws IOException {
        this.databasePort = URI.create(jdbcUrl.substring("jdbc:".length())).getPort();
        this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        this.jdbcUrl = jdbcUrl.replace(":" + databasePort + "/", ":" + listening.getLocalPort() + "/");
        start("database-proxy", this::accept);
    }

    /** Leads to the database through this proxy. */
    public String jdbcUrl() {
        return jdbcUrl;
    }

    /** Leads new connections to another server. */
    public void redirect(int port) {
        synchronized (lock) {
            databasePort = port;
        }
    }

    /** Resets all connections, and new ones until {@link #resume()}. */
    public void cut() {
        synchronized (lock) {
            refusing = true;
        }
        resetAll();
    }

    /** Resets the connections on which the node listens; returns how many. When this returns, they have ended for the node. */
    public int cutListeners() {
        List<Socket> ended = List.copyOf(listeners);
        ended.forEach(DatabaseProxy::reset);
        return ended.size();
    }

    /** Passes nothing on until {@link #resume()}. */
    public void stall() {
        synchronized (lock) {
            stalled = true;
        }
    }

    /** Holds requests that contain a text back until {@link #resume()}, and whatever follows on their connections. */
    public void withhold(String text) {
        synchronized (lock) {
            withheld = text;
        }
    }

    /** Holds requests to listen back until {@link #resume()}: no new connection of the node listens. */
    public void withholdListeners() {
        withhold(LISTEN);
    }

    /** Accepts connections again, and passes on what was held back. */
    public void resume() {
        synchronized (lock) {
            refusing = false;
            stalled = false;
            withheld = null;
            lock.notifyAll();
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            refusing = true;
            lock.notifyAll();
        }
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        resetAll();
    }

    private void resetAll() {
        sockets.forEach(DatabaseProxy::reset);
    }

    /** Closing with a linger time of zero sends RST. */
    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                // This proxy was closed, or the connection was while it was accepted.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket database;
        try {
            database = new Socket(InetAddress.getLoopbackAddress(), databasePort());
        } catch (IOException e) {
            reset(client); // The database is being restarted, or failing over.
            return;
        }
        sockets.addAll(List.of(client, database));
        if (isRefusing()) { // Checked after they were added, so that no connection escapes a cut.
            reset(client);
            reset(database);
        }
        start("proxy-to-database", () -> pass(client, database, true));
        start("proxy-to-node", () -> pass(database, client, false));
    }

    private int databasePort() {
        synchronized (lock) {
            return databasePort;
        }
    }

    private boolean isRefusing() {
        synchronized (lock) {
            return refusing;
        }
    }

    private void pass(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                String request = requests ? text(buffer, read) : "";
                if (!awaitPassage(request)) {
                    return;
                }
                if (request.contains(LISTEN)) {
                    listeners.add(from);
                }
                out.write(buffer, 0, read);
            }
            awaitPassage(""); // A stalled connection does not pass its end on either.
        } catch (IOException e) {
            // One side is closed; closing both tells the other.
        } finally {
            sockets.removeAll(List.of(from, to));
            listeners.removeAll(List.of(from, to));
        }
    }

    private static String text(byte[] buffer, int length) {
        return new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Returns false after this proxy was closed. */
    private boolean awaitPassage(String request) {
        synchronized (lock) {
            while ((stalled || (withheld != null && request.contains(withheld))) && !closed) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
            return !closed;
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
