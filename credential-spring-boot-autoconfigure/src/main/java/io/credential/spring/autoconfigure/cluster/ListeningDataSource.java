package io.credential.spring.autoconfigure.cluster;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
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

    /** Not the driver manager each time, whose messages show the URL, which may contain a password. */
    private final Driver driver;

    private final String url;
    private final Supplier<Properties> properties;

    private ListeningDataSource(Driver driver, String url, Supplier<Properties> properties) {
        this.driver = driver;
        this.url = url;
        this.properties = properties;
    }

    /**
     * Returns what opens the connection: with the URL, the credentials and the properties of a Hikari pool. For another
     * pool, or without a URL that a registered driver accepts, the connection is borrowed from it.
     *
     * @param listenUrl replaces the URL of the pool; empty for none
     * @throws CredentialConfigurationException if no driver accepts the URL that replaces it
     */
    static DataSource of(DataSource pool, String listenUrl) {
        HikariDataSource hikari = ClassUtils.isPresent(HIKARI, null)
                ? DataSourceUnwrapper.unwrap(pool, HikariConfigMXBean.class, HikariDataSource.class)
                : null;
        Supplier<Properties> properties = hikari == null ? Properties::new : () -> propertiesOf(hikari);
        if (!listenUrl.isEmpty()) {
            return new ListeningDataSource(requireDriver(listenUrl), listenUrl, properties);
        }
        String url = hikari == null ? null : hikari.getJdbcUrl();
        Driver driver = url == null ? null : driverOf(url);
        return url == null || driver == null ? pool : new ListeningDataSource(driver, url, properties);
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
        Connection connection = driver.connect(url, given);
        if (connection == null) {
            throw new SQLException("The JDBC driver no longer accepts the URL of the connection that listens");
        }
        return connection;
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

    private static Driver requireDriver(String listenUrl) {
        Driver driver = driverOf(listenUrl);
        if (driver == null) {
            throw new CredentialConfigurationException(
                    "No JDBC driver accepts the URL of 'credential.cluster.listen-url'.",
                    "Set it to a URL such as 'jdbc:postgresql://db.example.org:5432/shop', or remove it to listen on the"
                            + " URL of the DataSource.");
        }
        return driver;
    }

    private static @Nullable Driver driverOf(String url) {
        try {
            return DriverManager.getDriver(url);
        } catch (SQLException e) {
            return null;
        }
    }
}
