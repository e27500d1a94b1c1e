package io.credential.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Stands between a client and a server. Can stop passing anything on without closing a connection, and can cut a connection
 * when a certain text comes by. Thread-safe.
 */
public final class StallingProxy implements AutoCloseable {

    private final int serverPort;
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private @Nullable Cut nextCut;
    private boolean stalled;
    private boolean closed;

    /** In front of the server at this port of this machine. */
    public StallingProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("proxy", this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** From now on both sides hear nothing of each other. */
    public void stall() {
        synchronized (lock) {
            stalled = true;
        }
    }

    /** Passes on what was held back. */
    public void resume() {
        synchronized (lock) {
            stalled = false;
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
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.addAll(List.of(client, server));
                AtomicBoolean isCut = new AtomicBoolean();
                start("proxy-to-server", () -> pass(client, server, text -> mayPass(text, isCut)));
                start("proxy-to-client", () -> pass(server, client, answer -> !isCut.get()));
            }
        } catch (IOException e) {
            if (!listening.isClosed()) {
                throw new UncheckedIOException(e);
            }
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
