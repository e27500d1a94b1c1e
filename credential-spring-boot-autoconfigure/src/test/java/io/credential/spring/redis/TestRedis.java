package io.credential.spring.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import redis.embedded.RedisServer;

/** A server of its own on this machine, and a connection to it that gives up soon. */
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
        return new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(Duration.ofSeconds(20))
                        .shutdownTimeout(Duration.ZERO)
                        .build());
    }

    StringRedisTemplate template() {
        return new StringRedisTemplate(connections);
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
