package io.credential.testing;

import java.util.regex.Pattern;

/**
 * The PostgreSQL of the tests, one for each JVM, chosen without probing: {@code CREDENTIAL_TEST_JDBC_URL} of the
 * environment (its user may create databases and roles), else Testcontainers when asked by
 * {@code -Dcredential.test.db=testcontainers}, else an embedded server.
 *
 * @param adminUrl leads to a database that is there
 * @param outlivesTests whether it keeps running after this JVM
 */
record PostgresServer(String adminUrl, boolean outlivesTests) {

    private static final Pattern DATABASE = Pattern.compile("^(jdbc:postgresql:(?://[^/]*/)?)[^?]*");

    static PostgresServer shared() {
        return Holder.SHARED;
    }

    /** The URL of another database on this server. */
    String jdbcUrl(String database) {
        return DATABASE.matcher(adminUrl).replaceFirst("$1" + database);
    }

    private static PostgresServer start() {
        String given = System.getenv("CREDENTIAL_TEST_JDBC_URL");
        if (given != null && !given.isBlank()) {
            return new PostgresServer(given, true);
        }
        String choice = System.getProperty("credential.test.db", "embedded");
        return switch (choice) {
            case "embedded" -> new PostgresServer(EmbeddedServer.start(), false);
            case "testcontainers" -> new PostgresServer(ContainerServer.start(), false);
            default ->
                throw new IllegalStateException(
                        "credential.test.db is '" + choice + "'; it must be embedded or testcontainers");
        };
    }

    /** Starts the server when it is first asked for. */
    private static final class Holder {
        static final PostgresServer SHARED = start();
    }
}
