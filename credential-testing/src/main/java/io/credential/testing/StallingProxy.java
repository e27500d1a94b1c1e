package io.credential.testing;

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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a PostgreSQL server. Can stop passing anything on without closing a connection, can refuse
 * connections, and can cut a connection when a certain text comes by. Thread-safe.
 */
public final class StallingProxy implements AutoCloseable {

    private final URI server;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private @Nullable Cut nextCut;
    private boolean stalled;
    private boolean refusing;
    private boolean closed;

    /** In front of a server on this machine. */
    public StallingProxy(String jdbcUrl) throws IOException {
        this.server = URI.create(jdbcUrl.substring("jdbc:".length()));
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("proxy", this::accept);
    }

    /** Leads to the same database through this proxy. */
    public String jdbcUrl() {
        return "jdbc:" + server.toString().replace(":" + server.getPort() + "/", ":" + listening.getLocalPort() + "/");
    }

    /** From now on both sides hear nothing of each other. */
    public void stall() {
        synchronized (lock) {
            stalled = true;
        }
    }

    /** From now on every connection is closed, those that are open among them. */
    public void refuse() throws IOException {
        synchronized (lock) {
            refusing = true;
        }
        closeAll();
    }

    /** Passes on what was held back, and accepts connections again. */
    public void resume() {
        synchronized (lock) {
            stalled = false;
            refusing = false;
            lock.notifyAll();
        }
    }

    /** Cuts the connection on which the client sends this text next, before the server gets it. */
    public void cutBeforeTheServerGets(String text) {
        arm(new Cut(text, false));
    }

    /** Cuts the connection on which the client sends this text next, when the server has answered. */
    public void cutBeforeTheAnswerTo(String text) {
        arm(new Cut(text, true));
    }

    /** Whether the text has not come by yet. */
    public boolean isCutAwaited() {
        synchronized (lock) {
            return nextCut != null;
        }
    }

    private void arm(Cut cut) {
        synchronized (lock) {
            nextCut = cut;
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        listening.close();
        closeAll();
    }

    private void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                connect(listening.accept());
            }
        } catch (IOException e) {
            if (!listening.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket database = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
        sockets.addAll(List.of(client, database));
        if (isRefusing()) { // after they were added: one of both closes them
            client.close();
            database.close();
            return;
        }
        AtomicBoolean isCut = new AtomicBoolean();
        start("proxy-to-server", () -> pass(client, database, text -> mayPass(text, isCut)));
        start("proxy-to-client", () -> pass(database, client, answer -> !isCut.get()));
    }

    private boolean isRefusing() {
        synchronized (lock) {
            return refusing;
        }
    }

    /** False when the connection is to be cut now; {@code isCut} is set when that is to be done at the answer. */
    private boolean mayPass(String text, AtomicBoolean isCut) {
        synchronized (lock) {
            Cut cut = nextCut;
            if (cut == null || !text.contains(cut.text)) {
                return true;
            }
            nextCut = null;
            isCut.set(cut.atTheAnswer);
            return cut.atTheAnswer;
        }
    }

    private void pass(Socket from, Socket to, Predicate<String> mayPass) {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0 && awaitPassage(); read = in.read(buffer)) {
                if (!mayPass.test(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
                    return;
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One side has gone; closing both tells the other.
        }
    }

    /** False when the proxy was closed. */
    private boolean awaitPassage() {
        synchronized (lock) {
            while (stalled && !closed) {
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

    private record Cut(String text, boolean atTheAnswer) {}
}
