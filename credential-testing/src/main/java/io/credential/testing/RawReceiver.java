package io.credential.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A receiver on loopback that speaks the bytes it is told to, a thread for each connection. */
public final class RawReceiver implements AutoCloseable {

    public static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final ServerSocket server;
    private final Script script;
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch closedByPeer = new CountDownLatch(1);

    public RawReceiver(Script script) throws IOException {
        this(script, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0);
    }

    public RawReceiver(Script script, InetAddress address, int port) throws IOException {
        this(script, new ServerSocket(port, 200, address));
    }

    public RawReceiver(Script script, ServerSocket server) {
        this.server = server;
        this.script = script;
        start(this::accept, "accept");
    }

    /** Answers every request on a connection in the same way. */
    public static RawReceiver answering(String response) throws IOException {
        return new RawReceiver(looping(response));
    }

    /** Answers one request and closes the connection. */
    public static Script saying(String response) {
        return (receiver, in, out) -> {
            receiver.readRequest(in);
            out.write(response.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        };
    }

    public static Script looping(String response) {
        return (receiver, in, out) -> {
            while (receiver.readRequest(in)) {
                out.write(response.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        };
    }

    public int port() {
        return server.getLocalPort();
    }

    public int connections() {
        return connections.get();
    }

    public List<String> requests() {
        return requests;
    }

    /** Counts down when a client has closed or reset a connection while a script was talking to it. */
    public CountDownLatch closedByPeer() {
        return closedByPeer;
    }

    /** Reads one request with a Content-Length and remembers it; false at the end of the stream. */
    public boolean readRequest(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return false;
            }
            head.write(next);
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        String lowerCase = text.toLowerCase(Locale.ROOT);
        int length = 0;
        int at = lowerCase.indexOf("\r\ncontent-length:");
        if (at >= 0) {
            int start = at + "\r\ncontent-length:".length();
            length = Integer.parseInt(
                    text.substring(start, text.indexOf("\r\n", start)).strip());
        }
        requests.add(text + new String(in.readNBytes(length), StandardCharsets.UTF_8));
        return true;
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket socket = server.accept();
                sockets.add(socket);
                connections.incrementAndGet();
                start(() -> serve(socket), "serve");
            }
        } catch (SocketException e) {
            // The test is over.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.talk(this, socket.getInputStream(), socket.getOutputStream());
        } catch (IOException e) {
            closedByPeer.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(Runnable work, String name) {
        Thread thread = new Thread(work, "receiver-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Writes the same few bytes again and again, slowly, until the client closes. */
    public void drip(OutputStream out, String drop) throws IOException, InterruptedException {
        while (!closedByPeer.await(20, TimeUnit.MILLISECONDS)) {
            out.write(drop.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    /** Waits for the client to close. */
    public void awaitEnd(InputStream in) throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
        closedByPeer.countDown();
    }

    public void resetAll() throws IOException {
        for (Socket socket : sockets) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** What a connection says. */
    @FunctionalInterface
    public interface Script {
        void talk(RawReceiver receiver, InputStream in, OutputStream out) throws IOException, InterruptedException;
    }
}
