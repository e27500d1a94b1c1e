package io.credential.spring.autoconfigure.notification;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.util.ClassUtils;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/**
 * Opens the connection that listens, outside the pool: it is held as long as the application runs, and would take the place
 * of a pooled one. Thread-safe.
 */
final class ListeningDataSource extends AbstractDataSource {

    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";
    private static final String TIMEOUT_SECONDS = "10";

    private final String url;
    private final Supplier<Properties> properties;

    private ListeningDataSource(String url, Supplier<Properties> properties) {
        this.url = url;
        this.properties = properties;
    }

    /**
     * Returns what opens the connection: with the URL, the credentials and the properties of a Hikari pool. For another
     * pool, or without a URL, the connection is borrowed from it.
     *
     * @param listenUrl replaces the URL of the pool; empty for none
     * @throws CredentialConfigurationException if no driver accepts this URL
     */
    static DataSource of(DataSource pool, String listenUrl) {
        requireDriver(listenUrl);
        HikariDataSource hikari = ClassUtils.isPresent(HIKARI, null)
                ? DataSourceUnwrapper.unwrap(pool, HikariConfigMXBean.class, HikariDataSource.class)
                : null;
        if (hikari == null) {
            return listenUrl.isEmpty() ? pool : new ListeningDataSource(listenUrl, Properties::new);
        }
        String url = listenUrl.isEmpty() ? hikari.getJdbcUrl() : listenUrl;
        return url == null ? pool : new ListeningDataSource(url, () -> propertiesOf(hikari));
    }

    @Override
    public Connection getConnection() throws SQLException {
        return open(properties.get());
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        Properties given = properties.get();
        given.setProperty("user", username);
        given.setProperty("password", password);
        return open(given);
    }

    /** What the URL says wins over these properties. */
    private Connection open(Properties given) throws SQLException {
        given.putIfAbsent("connectTimeout", TIMEOUT_SECONDS);
        given.putIfAbsent("loginTimeout", TIMEOUT_SECONDS);
        given.putIfAbsent("tcpKeepAlive", "true");
        given.putIfAbsent("ApplicationName", "credential-notifications");
        return DriverManager.getConnection(url, given);
    }

    /** Asks for the credentials each time, because they may expire. */
    private static Properties propertiesOf(HikariDataSource hikari) {
        Properties properties = new Properties();
        properties.putAll(hikari.getDataSourceProperties());
        Credentials credentials = hikari.getCredentials();
        if (credentials.getUsername() != null) {
            properties.setProperty("user", credentials.getUsername());
        }
        if (credentials.getPassword() != null) {
            properties.setProperty("password", credentials.getPassword());
        }
        return properties;
    }

    /** The message of the driver manager would show the URL, which may contain a password. */
    private static void requireDriver(String listenUrl) {
        if (listenUrl.isEmpty()) {
            return;
        }
        try {
            var unused = DriverManager.getDriver(listenUrl);
        } catch (SQLException e) {
            throw new CredentialConfigurationException(
                    "No JDBC driver accepts the URL of 'credential.cluster.listen-url'.",
                    "Set it to a URL such as 'jdbc:postgresql://db.example.org:5432/shop', or remove it to listen on the"
                            + " URL of the DataSource.");
        }
    }
}
