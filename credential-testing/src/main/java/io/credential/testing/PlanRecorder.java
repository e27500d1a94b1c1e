package io.credential.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.SqlDialect;

/**
 * Notes the plan of every statement that runs. PostgreSQL tells the plan that it has followed,
 * whether made for these parameters or for any, and the pages that it touched; SQLite is asked before.
 */
public final class PlanRecorder implements AutoCloseable {

    /** Flyway needs more than one; a thread gets the same again as long as it needs only one. */
    private static final int MAX_CONNECTIONS = 4;

    /** The first line with buffers of a plan is that of the whole statement. */
    private static final Pattern PAGES = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");

    private final SqlDialect dialect;
    private final List<String> plans = new CopyOnWriteArrayList<>();
    private final HikariDataSource pool;
    private final AutoCloseable server;
    private final CredentialDatabase database;
    private volatile boolean recording;

    private PlanRecorder(SqlDialect dialect, HikariDataSource pool, AutoCloseable server) {
        this.dialect = dialect;
        this.pool = pool;
        this.server = server;
        new SchemaMigrator(CredentialDatabase.of(pool), SchemaScripts.CORE).run(SchemaMode.MIGRATE);
        this.database =
                CredentialDatabase.of(proxy(DataSource.class, pool, (method, result) -> recordingConnection(result)));
    }

    /** Uses its own database. Only an embedded PostgreSQL is sure to let its user load the module that logs plans. */
    public static PlanRecorder open(DatabaseKind kind) {
        return switch (kind) {
            case POSTGRESQL -> {
                RestartablePostgres server = RestartablePostgres.started();
                yield new PlanRecorder(SqlDialect.POSTGRESQL, telling(server.jdbcUrl()), server);
            }
            case SQLITE -> {
                TestDatabase test = TestDatabase.create(kind);
                yield new PlanRecorder(SqlDialect.SQLITE, test.dataSource(), test);
            }
        };
    }

    private static HikariDataSource telling(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(MAX_CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionInitSql("""
                LOAD 'auto_explain';
                SET auto_explain.log_min_duration = 0;
                SET auto_explain.log_analyze = on;
                SET auto_explain.log_buffers = on;
                SET auto_explain.log_timing = off;
                SET auto_explain.log_parameter_max_length = 0;
                SET client_min_messages = 'log'""");
        return new HikariDataSource(config);
    }

    /** Returns how many pages a statement touched, from memory or from disk; 0 if its plan does not say. */
    public static int pages(String plan) {
        Matcher whole = PAGES.matcher(plan);
        return whole.find()
                ? Stream.of(whole.group(1), whole.group(2))
                        .filter(Objects::nonNull)
                        .mapToInt(Integer::parseInt)
                        .sum()
                : 0;
    }

    public CredentialDatabase database() {
        return database;
    }

    /** Notes plans from now on. */
    public void begin() {
        plans.clear();
        recording = true;
    }

    /** The plans of what ran since the beginning. */
    public List<String> end() {
        recording = false;
        return List.copyOf(plans);
    }

    @Override
    public void close() {
        pool.close();
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException("The database did not stop", e);
        }
    }

    private Object recordingConnection(Object result) {
        if (!(result instanceof Connection connection)) {
            return result;
        }
        return proxy(Connection.class, connection, (method, made) -> {
            if (!(made instanceof PreparedStatement statement)) {
                return made;
            }
            return proxy(PreparedStatement.class, statement, (called, value) -> {
                if (recording && called.getName().startsWith("execute")) {
                    noteWarnings(statement);
                }
                return value;
            });
        });
    }

    private void noteWarnings(Statement statement) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            plans.add(String.valueOf(warning.getMessage()));
        }
    }

    private void explain(Connection connection, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder(sql).append('\n');
        try (Statement statement = connection.createStatement();
                ResultSet steps = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (steps.next()) {
                plan.append(steps.getString("detail")).append('\n');
            }
        }
        plans.add(plan.toString());
    }

    private <T> T proxy(Class<T> type, T target, AfterCall afterCall) {
        InvocationHandler handler = (self, method, arguments) -> {
            try {
                if (recording
                        && dialect == SqlDialect.SQLITE
                        && method.getName().equals("prepareStatement")) {
                    explain((Connection) target, (String) arguments[0]);
                }
                return afterCall.map(method, method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(PlanRecorder.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @FunctionalInterface
    private interface AfterCall {
        Object map(Method method, Object result) throws SQLException;
    }
}
