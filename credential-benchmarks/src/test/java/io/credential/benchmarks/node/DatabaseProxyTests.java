package io.credential.benchmarks.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DatabaseProxyTests {

    private static final String LISTEN = "LISTEN credential";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration IMPATIENCE = Duration.ofMillis(100);

    private ServerSocket database;
    private DatabaseProxy proxy;

    @BeforeEach
    void open() throws IOException {
        database = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        proxy = new DatabaseProxy("jdbc:postgresql://localhost:" + database.getLocalPort() + "/test");
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        database.close();
    }

    @Test
    void withholdListenersWhenCutThenNoneUntilResumed() throws IOException {
        try (Socket node = connect();
                Socket session = database.accept()) {
            assertPasses(LISTEN, node, session);
            proxy.withholdListeners();

            assertThat(proxy.cutListeners()).isEqualTo(1);
            assertThatThrownBy(() -> node.getInputStream().read()).isInstanceOf(IOException.class);
        }
        try (Socket node = connect();
                Socket session = database.accept()) {
            assertPasses("SELECT 1", node, session);
            write(LISTEN, node);
            assertThatThrownBy(() -> read(session, IMPATIENCE)).isInstanceOf(SocketTimeoutException.class);
            proxy.resume();

            assertThat(read(session, PATIENCE)).isEqualTo(LISTEN);
        }
    }

    private Socket connect() throws IOException {
        int port = URI.create(proxy.jdbcUrl().substring("jdbc:".length())).getPort();
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static void assertPasses(String request, Socket node, Socket session) throws IOException {
        write(request, node);
        assertThat(read(session, PATIENCE)).isEqualTo(request);
    }

    private static void write(String request, Socket node) throws IOException {
        node.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(Socket session, Duration limit) throws IOException {
        session.setSoTimeout(Math.toIntExact(limit.toMillis()));
        byte[] buffer = new byte[100];
        int length = session.getInputStream().read(buffer);
        return new String(buffer, 0, length, StandardCharsets.US_ASCII);
    }
}
