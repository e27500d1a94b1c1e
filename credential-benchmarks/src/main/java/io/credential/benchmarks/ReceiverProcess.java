package io.credential.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.Locale;
import java.util.PriorityQueue;

import org.jspecify.annotations.Nullable;

/**
 * A receiver that does as little as it can: one thread, few objects per request, connections kept alive. The path
 * determines how a request is treated. It prints its port, then answers commands from standard input line by line, and
 * ends when its standard input does.
 */
final class ReceiverProcess {

    /** Answers 200. */
    static final String BARE = "/bare/";

    /** Answers 200 and counts the payload, which is a {@link NumberedPayload}; the number of the endpoint follows. */
    static final String COUNTED = "/counted/";

    /** Never answers; clients give up. */
    static final String HANGING = "/hanging/";

    /** Answers 200 after a pause; its milliseconds follow. */
    static final String PAUSING = "/pausing/";

    private static final int PATH_START = "POST ".length();
    private static final int BACKLOG = 1024;
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final Arrivals arrivals = new Arrivals();
    private final PriorityQueue<Answer> answers = new PriorityQueue<>(Comparator.comparingLong(Answer::dueAt));

    private ReceiverProcess() {}

    public static void main(String[] arguments) throws IOException {
        ReceiverProcess receiver = new ReceiverProcess();
        ServerSocketChannel server = ServerSocketChannel.open();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        daemon(() -> receiver.serve(server), "receiver").start();
        System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                .lines()
                .forEach(command -> System.out.println(receiver.answer(command)));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private String answer(String command) {
        return switch (command) {
            case "reset" -> {
                arrivals.reset();
                yield "";
            }
            case "summary" -> arrivals.summary().format();
            case "numbers" ->
                Base64.getEncoder().encodeToString(arrivals.numbers(0).toByteArray());
            default -> throw new IllegalArgumentException(command);
        };
    }

    private void serve(ServerSocketChannel server) {
        try (Selector selector = Selector.open()) {
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(key -> handle(selector, key), millisToNextAnswer());
                answerDue();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void handle(Selector selector, SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                SocketChannel channel = ((ServerSocketChannel) key.channel()).accept();
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new Connection());
            } else {
                read((SocketChannel) key.channel(), (Connection) key.attachment());
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    private void read(SocketChannel channel, @Nullable Connection connection) throws IOException {
        if (connection == null || channel.read(connection.buffer) < 0) {
            channel.close();
            return;
        }
        ByteBuffer buffer = connection.buffer;
        if (connection.toDiscard > 0 && connection.discard()) {
            answer(channel);
        }
        int length = connection.toDiscard > 0 ? 0 : requestLength(buffer);
        while (length > 0 && length <= buffer.position()) {
            long pauseMillis = receive(buffer, length);
            buffer.flip().position(length);
            buffer.compact();
            if (pauseMillis == 0) {
                answer(channel);
            } else if (pauseMillis > 0) {
                answers.add(new Answer(channel, System.nanoTime() + NANOS_PER_MILLI * pauseMillis));
            }
            length = requestLength(buffer);
        }
        if (length > buffer.capacity()) {
            connection.toDiscard = length;
            connection.discard();
        }
    }

    /** Returns how long the answer to the first request in the buffer waits, negative if there is none. */
    private long receive(ByteBuffer buffer, int length) {
        byte firstOfPath = buffer.get(PATH_START + 1);
        if (firstOfPath == COUNTED.charAt(1)) {
            arrivals.add(numberAfter(COUNTED, buffer), NumberedPayload.read(buffer, length - NumberedPayload.BYTES));
        } else if (firstOfPath == PAUSING.charAt(1)) {
            return numberAfter(PAUSING, buffer);
        }
        return firstOfPath == HANGING.charAt(1) ? -1 : 0;
    }

    private static void answer(SocketChannel channel) throws IOException {
        channel.write(ByteBuffer.wrap(ANSWER));
    }

    private static int numberAfter(String path, ByteBuffer buffer) {
        int number = 0;
        for (int i = PATH_START + path.length(); buffer.get(i) != ' '; i++) {
            number = 10 * number + buffer.get(i) - '0';
        }
        return number;
    }

    /** Never early: returns 0, which waits for requests alone, only if no answer waits. */
    private long millisToNextAnswer() {
        Answer next = answers.peek();
        return next == null ? 0 : Math.max(1, (next.dueAt() - System.nanoTime()) / NANOS_PER_MILLI + 1);
    }

    private void answerDue() {
        long now = System.nanoTime();
        while (!answers.isEmpty() && answers.peek().dueAt() <= now) {
            SocketChannel channel = answers.remove().channel();
            try {
                answer(channel);
            } catch (IOException e) {
                // The client has given up; reading from the channel closes it.
            }
        }
    }

    /** @param dueAt by {@link System#nanoTime} */
    private record Answer(SocketChannel channel, long dueAt) {}

    /** Returns the length of the first request in the buffer, or 0 until its head is complete. */
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

    /** What has arrived, and how much of a request that exceeds the buffer is still to come. */
    private static final class Connection {

        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        private int toDiscard;

        /** Drops what has arrived of a large request, which is answered whatever its path; returns whether it is complete. */
        boolean discard() {
            int dropped = Math.min(toDiscard, buffer.position());
            buffer.flip().position(dropped);
            buffer.compact();
            toDiscard -= dropped;
            return toDiscard == 0;
        }
    }
}
