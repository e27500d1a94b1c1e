package io.credential.internal.notification;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that listens. The only class that uses the driver. For one thread, except {@link #abort()}. */
final class ListeningSession implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ListeningSession.class);

    /** With which the driver reads the error that ends a session: the decoded text, and the message made of it. */
    private static final List<String> CLASSES_OF_ERRORS =
            List.of("org.postgresql.core.EncodingPredictor$DecodeResult", "org.postgresql.util.ServerErrorMessage");

    private final Connection connection;
    private final String channel;
    private final PGConnection postgres;
    private final boolean autoCommitBefore;
    private final int networkTimeoutBefore;
    private boolean healthy = true;

    private ListeningSession(Connection connection, String channel) throws SQLException {
        this.connection = connection;
        this.channel = channel;
        this.postgres = connection.unwrap(PGConnection.class);
        this.autoCommitBefore = connection.getAutoCommit();
        this.networkTimeoutBefore = connection.getNetworkTimeout();
    }

    /**
     * @param channel its name, an identifier that needs no quotes
     * @param answerWithin the longest time for the answer to a statement
     */
    static ListeningSession open(DataSource connections, String channel, Duration answerWithin) throws SQLException {
        ListeningSession session = of(connections.getConnection(), channel);
        try {
            session.listen(answerWithin);
            return session;
        } catch (SQLException | RuntimeException | Error e) {
            session.close();
            throw e;
        }
    }

    private static ListeningSession of(Connection connection, String channel) throws SQLException {
        try {
            return new ListeningSession(connection, channel);
        } catch (SQLException | RuntimeException | Error e) {
            close(connection);
            throw e;
        }
    }

    private void listen(Duration answerWithin) throws SQLException {
        if (!autoCommitBefore) {
            connection.setAutoCommit(true);
        }
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(answerWithin.toMillis()));
        prepareForEnd();
        execute("LISTEN " + channel);
    }

    /**
     * Makes the driver load what it needs to report the end of a session. This takes milliseconds: if it happened after
     * the first session has ended, {@link #await} would return late, and caches are used until it does.
     */
    private void prepareForEnd() {
        try {
            postgres.escapeIdentifier("\0");
        } catch (SQLException e) {
            // as intended: the first exception loads the messages of the driver, too
        }
        for (String name : CLASSES_OF_ERRORS) {
            try {
                Class.forName(name, true, PGConnection.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                LOG.debug("This version of the driver reads errors without {}", name, e);
            }
        }
    }

    /** Sends a payload over this connection. */
    void send(Payload payload) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NotificationChannel.NOTIFY)) {
            statement.setString(1, channel);
            statement.setString(2, payload.toString());
            statement.execute();
        } catch (SQLException e) {
            healthy = false;
            throw e;
        }
    }

    /** Returns the payloads that have arrived, or that arrive next within this time; empty if none does. */
    List<Payload> await(Duration longest) throws SQLException {
        try {
            PGNotification[] arrived = postgres.getNotifications(Math.max(1, Math.toIntExact(longest.toMillis())));
            return arrived == null
                    ? List.of()
                    : Arrays.stream(arrived)
                            .map(PGNotification::getParameter)
                            .map(Payload::parse)
                            .toList();
        } catch (SQLException e) {
            healthy = false;
            throw e;
        }
    }

    /** Ends the connection, also while it is being used. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("Could not abort the listening connection", e);
        }
    }

    /** Closes the connection, or returns it to its pool as it was; ends it if that is not possible. */
    @Override
    public void close() {
        if (!restore()) {
            abort();
        }
        close(connection);
    }

    private boolean restore() {
        try {
            if (!healthy || connection.isClosed()) {
                return false;
            }
            execute("UNLISTEN *");
            if (!autoCommitBefore) {
                connection.setAutoCommit(false);
            }
            connection.setNetworkTimeout(Runnable::run, networkTimeoutBefore);
            return true;
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The listening connection is broken", e);
            return false;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("Could not close the listening connection", e);
        }
    }
}
