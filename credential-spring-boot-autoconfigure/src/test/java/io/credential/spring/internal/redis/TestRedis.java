package io.credential.spring.internal.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import redis.embedded.RedisServer;

import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A Redis server on this machine, and a connection to it with short timeouts. */
public final class TestRedis implements AutoCloseable {

    private final int port;
    private final RedisServer server;
    private final LettuceConnectionFactory connections;

    public TestRedis() throws IOException {
        port = freePort();
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("maxmemory-policy noeviction")
                .build();
        server.start();
        connections = newConnections();
        connections.afterPropertiesSet();
        connections.start();
    }

    /** Connections that an application starts and closes itself. */
    public LettuceConnectionFactory newConnections() {
        return newConnections(Duration.ofSeconds(20));
    }

    /** @param timeout how long a command waits for its answer, also while the server is gone */
    LettuceConnectionFactory newConnections(Duration timeout) {
        return new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(timeout)
                        .shutdownTimeout(Duration.ZERO)
                        .build());
    }

    StringRedisTemplate template() {
        return new StringRedisTemplate(connections);
    }

    /** The names of everything that the server holds. */
    public Set<String> keys() {
        return template().keys("*");
    }

    /** Runs the action, and returns the command with which it reached the server, as the server shows it. */
    String commandOf(String word, Runnable action) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
            BufferedReader seen = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            socket.getOutputStream().write("MONITOR\r\n".getBytes(UTF_8));
            assertThat(seen.readLine()).isEqualTo("+OK");
            action.run();
            String line;
            do {
                line = seen.readLine();
                assertThat(line).as("the end of what the server shows").isNotNull();
            } while (!line.contains("\"" + word + "\""));
            return line;
        }
    }

    void limitMemory(String limit) {
        template()
                .execute(
                        connection -> {
                            connection.serverCommands().setConfig("maxmemory", limit);
                            return null;
                        },
                        true);
    }

    void stopServer() throws IOException {
        server.stop();
    }

    @Override
    public void close() throws IOException {
        connections.destroy();
        server.stop();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
