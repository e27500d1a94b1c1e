package io.credential.internal.notification;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.StallingProxy;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The first end of a session in a process is noticed as fast as later ones, because no class has to be loaded for it. */
class FirstEndTests {

    private static final String DRIVER = "org.postgresql.Driver";
    private static final String APPLICATION = "first-end";

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @Test
    void isListeningWhenFirstTerminatedThenNothingLoaded() throws Exception {
        assertThat(loadedUntilNoticed(
                        SERVER.jdbcUrl(),
                        () -> SERVER.database()
                                .jdbc()
                                .sql(
                                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name")
                                .param("name", APPLICATION)
                                .query((row, number) -> row.getBoolean(1))
                                .single()))
                .isEmpty();
    }

    @Test
    void isListeningWhenFirstClosedThenNothingLoaded() throws Exception {
        try (StallingProxy proxy = new StallingProxy(SERVER.jdbcUrl())) {
            assertThat(loadedUntilNoticed(proxy.jdbcUrl(), () -> {
                        proxy.refuse();
                        return true;
                    }))
                    .isEmpty();
        }
    }

    @FunctionalInterface
    private interface Cut {
        boolean end() throws IOException;
    }

    private static List<String> loadedUntilNoticed(String jdbcUrl, Cut cut) throws Exception {
        try (FreshClasses classes = new FreshClasses()) {
            Node node = new Node(classes, jdbcUrl);
            try {
                node.start();
                Patience.until(() -> node.isListening()
                        && LiveThreads.named(FreshClasses.LISTENER).stream().anyMatch(FirstEndTests::isReading));
                classes.recordWhile(node::isListening);
                assertThat(cut.end()).isTrue();
                Patience.until(() -> !node.isListening());
                return classes.recorded;
            } finally {
                node.close();
            }
        }
    }

    /** Not while it waits for its own proof. */
    private static boolean isReading(Thread thread) {
        List<String> methods = Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getMethodName)
                .toList();
        return methods.contains("listen") && methods.contains("read");
    }

    /** Notifications of classes that are loaded anew. */
    private static final class Node implements AutoCloseable {

        private final FreshClasses classes;
        private final Object notifications;

        /** Its clock stands still, so that no heartbeat is due and it does not connect again. */
        Node(FreshClasses classes, String jdbcUrl) throws ReflectiveOperationException {
            this.classes = classes;
            Driver driver = (Driver) classes.loadClass(DRIVER).getConstructor().newInstance();
            Class<?> database = classes.loadClass(CredentialDatabase.class.getName());
            LongSupplier clock = () -> 0;
            this.notifications = classes.loadClass(PostgresNotifications.class.getName())
                    .getConstructor(database, DataSource.class, LongSupplier.class, SecureRandom.class)
                    .newInstance(
                            database.getMethod("of", DataSource.class).invoke(null, SERVER.dataSource()),
                            listening(driver, jdbcUrl),
                            clock,
                            new SecureRandom());
        }

        private static DataSource listening(Driver driver, String jdbcUrl) {
            AbstractDriverBasedDataSource connections = new AbstractDriverBasedDataSource() {
                @Override
                protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
                    properties.setProperty("ApplicationName", APPLICATION);
                    return driver.connect(jdbcUrl, properties);
                }
            };
            connections.setUrl(jdbcUrl);
            return connections;
        }

        void start() throws ReflectiveOperationException {
            call("start");
        }

        boolean isListening() {
            try {
                return (boolean) call("isListening");
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws ReflectiveOperationException {
            call("close");
            classes.loadClass(DRIVER).getMethod("deregister").invoke(null);
        }

        private Object call(String name) throws ReflectiveOperationException {
            Method method = notifications.getClass().getMethod(name);
            return method.invoke(notifications);
        }
    }

    /** Loads the driver and this library anew, and records what the thread that listens loads. */
    private static final class FreshClasses extends URLClassLoader {

        static final String LISTENER = "credential-notification-listener";

        final List<String> recorded = new CopyOnWriteArrayList<>();
        private volatile BooleanSupplier recording = () -> false;

        FreshClasses() {
            super(
                    new URL[] {origin(PGConnection.class), origin(PostgresNotifications.class)},
                    PGConnection.class.getClassLoader());
        }

        private static URL origin(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        void recordWhile(BooleanSupplier condition) {
            recording = condition;
        }

        /** Returns what the JDK and other libraries define from the parent. */
        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("org.postgresql.") && !name.startsWith("io.credential.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                if (Thread.currentThread().getName().equals(LISTENER) && recording.getAsBoolean()) {
                    recorded.add(name);
                }
                return findClass(name);
            }
        }
    }
}
