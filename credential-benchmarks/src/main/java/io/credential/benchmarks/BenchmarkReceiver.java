package io.credential.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A receiver in a process of its own that answers 200 to everything and does as little as it can: one thread, no
 * objects for a request, connections kept alive. It ends when its standard input does.
 */
final class BenchmarkReceiver implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Process process;
    private final int port;

    private BenchmarkReceiver(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static BenchmarkReceiver start() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchmarkReceiver.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String port = output.readLine();
        if (port == null) {
            throw new IOException("The receiver did not start");
        }
        return new BenchmarkReceiver(process, Integer.parseInt(port));
    }

    String url(int endpoint) {
        return "http://127.0.0.1:" + port + "/hooks/" + endpoint;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        Thread serving = new Thread(() -> serve(server), "receiver");
        serving.setDaemon(true);
        serving.start();
        System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
        while (System.in.read() >= 0) {
            // Nobody says anything; the end is what is waited for.
        }
    }

    private static void serve(ServerSocketChannel server) {
        try (Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(key -> handle(selector, key));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void handle(Selector selector, SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(BUFFER_BYTES));
            } else {
                read((SocketChannel) key.channel(), (ByteBuffer) key.attachment());
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    private static void read(SocketChannel channel, @Nullable ByteBuffer buffer) throws IOException {
        if (buffer == null || channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        int length = requestLength(buffer);
        while (length > 0 && length <= buffer.position()) {
            buffer.flip().position(length);
            buffer.compact();
            channel.write(ByteBuffer.wrap(ANSWER));
            length = requestLength(buffer);
        }
    }

    /** Of the first request in the buffer; 0 as long as its head is not complete. */
    private static int requestLength(ByteBuffer buffer) {
        for (int i = 3; i < buffer.position(); i++) {
            if (buffer.get(i) == '\n' && buffer.get(i - 2) == '\n') {
                ByteBuffer head = buffer.duplicate().position(0).limit(i);
                return i
                        + 1
                        + contentLength(StandardCharsets.ISO_8859_1.decode(head).toString());
            }
        }
        return 0;
    }

    private static int contentLength(String head) {
        String name = "content-length:";
        int start = head.toLowerCase(Locale.ROOT).indexOf(name) + name.length();
        return Integer.parseInt(head.substring(start, head.indexOf('\r', start)).strip());
    }
}
