package io.credential.testing;

import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL in a container; Testcontainers removes it when the JVM ends. */
final class ContainerServer {

    private ContainerServer() {}

    /** Starts a server and returns its URL. */
    @SuppressWarnings("resource") // runs until the JVM ends
    static String start() {
        PostgreSQLContainer container = new PostgreSQLContainer("postgres:18");
        container.start();
        String url = container.getJdbcUrl();
        return url + (url.contains("?") ? '&' : '?') + "user=" + container.getUsername() + "&password="
                + container.getPassword();
    }
}
