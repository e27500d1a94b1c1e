package io.credential.internal.cluster;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.internal.notification.PostgresNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.Patience;

/** A process that takes part in the election until its standard input ends. Arguments: the URL of the database, its id. */
final class ElectionNode {

    static final String STARTED = "node started";
    static final String LEADS = "node leads";

    /** So long that no test waits for it. */
    private static final Duration LEASE = Duration.ofHours(12);

    private ElectionNode() {}

    public static void main(String[] arguments) throws IOException {
        SecureRandom random = new SecureRandom();
        try (HikariDataSource pool = pool(arguments[0]);
                PostgresNotifications notifications = new PostgresNotifications(
                        CredentialDatabase.of(pool),
                        new DriverManagerDataSource(arguments[0]),
                        System::nanoTime,
                        random);
                LeaseLeadership leadership = new LeaseLeadership(
                        CredentialDatabase.of(pool),
                        Keyring.generate(random),
                        new LeaseSettings(arguments[1], null, LEASE),
                        System::nanoTime,
                        random,
                        notifications,
                        epoch -> {})) {
            notifications.start();
            leadership.start();
            Patience.until(notifications::isListening);
            System.out.println(STARTED);
            Thread election = new Thread(() -> announce(leadership), "election");
            election.setDaemon(true);
            election.start();
            System.in.transferTo(System.out);
        }
    }

    private static HikariDataSource pool(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        return new HikariDataSource(config);
    }

    private static void announce(LeaseLeadership leadership) {
        Patience.until(leadership::isLeader);
        System.out.println(LEADS);
    }
}
