package io.credential.storage.internal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;

import io.credential.storage.ReadOnlyTransactionException;
import io.credential.storage.SchemaException;
import io.credential.storage.UnsupportedDatabaseException;
import io.credential.storage.internal.sqlite.SqliteDriver;

/**
 * The database that everything is stored in: PostgreSQL 14 or newer, or a SQLite file. Statements run in the caller's
 * transaction when there is one on the same DataSource, with its isolation. On PostgreSQL, all others are READ COMMITTED
 * and are committed, even if the DataSource has another isolation or no auto-commit. Thread-safe.
 *
 * <table>
 * <caption>Which method runs what</caption>
 * <tr><th>method</th><th>for</th><th>outside a transaction of the caller</th><th>limit on PostgreSQL</th></tr>
 * <tr><td>{@link #jdbc}</td><td>any statement</td><td>commits by itself</td><td>10 s</td></tr>
 * <tr><td>{@link #batchUpdate}</td><td>one statement for many rows</td><td>commits by itself</td><td>10 s</td></tr>
 * <tr><td>{@link #read}</td><td>a query on a hot path</td><td>commits by itself</td><td>10 s</td></tr>
 * <tr><td>{@link #write}</td><td>one statement that SQLite must not refuse because of another writer</td>
 *     <td>commits by itself; on SQLite, in a new transaction</td><td>10 s</td></tr>
 * <tr><td>{@link #outsideTransaction}</td><td>a statement that must be committed whatever the caller does; PostgreSQL
 *     only</td><td>commits by itself, in any case</td><td>10 s</td></tr>
 * <tr><td>{@link #inTransaction(Supplier)}</td><td>statements that belong together</td><td>new transaction</td>
 *     <td>30 s</td></tr>
 * <tr><td>{@link #inTransaction(Duration, Supplier)}</td><td>the same, if the caller cannot wait</td>
 *     <td>new transaction</td><td>as given</td></tr>
 * </table>
 */
public final class CredentialDatabase {

    private static final String LIMIT_IDLE_TIME = "SET LOCAL idle_in_transaction_session_timeout = '10s'";

    /** A process that stops before the commit must not keep rows locked. */
    private static final String LONE_READ_COMMITTED = DatabaseTraits.READ_COMMITTED + "; " + LIMIT_IDLE_TIME;

    private final DataSource dataSource;
    private final DatabaseTraits traits;
    private final JdbcTemplate rawStatements;
    private final NamedParameterJdbcTemplate statements;
    private final JdbcClient jdbc;
    private final DatabaseTransactions transactions;

    /** Null before the first use, and on SQLite. */
    private volatile @Nullable PostgresSchema schema;

    /** Null for a file, which needs no limits: its locks have their own. */
    private final @Nullable LongSupplier nanoTime;

    private CredentialDatabase(DataSource given, @Nullable PlatformTransactionManager manager, LongSupplier nanoTime) {
        this.dataSource = target(given);
        this.rawStatements = new JdbcTemplate(dataSource);
        this.traits = DatabaseTraits.read(rawStatements);
        this.nanoTime = isFile() ? null : nanoTime;
        if (isFile()) {
            rawStatements.setExceptionTranslator(SqliteDriver.exceptionTranslator());
        }
        this.transactions = new DatabaseTransactions(
                dataSource, manager, rawStatements, traits.firstOfTransaction(), this.nanoTime);
        this.statements = new NamedStatements(LimitedOperations.of(
                rawStatements, this::joinsTransaction, (Supplier<@Nullable Object> operation) -> alone(operation)));
        this.jdbc = JdbcClient.create(statements);
    }

    /**
     * Uses a DataSource with a new transaction manager.
     *
     * @throws UnsupportedDatabaseException if it is neither PostgreSQL 14+ nor SQLite
     * @throws DataAccessException if the database does not answer
     */
    public static CredentialDatabase of(DataSource dataSource) {
        return of(dataSource, System::nanoTime);
    }

    /** @param nanoTime a monotonic clock for the limits of statements and transactions */
    static CredentialDatabase of(DataSource dataSource, LongSupplier nanoTime) {
        return new CredentialDatabase(required(dataSource, "DataSource"), null, nanoTime);
    }

    /**
     * Uses a DataSource with the manager of its transactions.
     *
     * @throws UnsupportedDatabaseException if it is neither PostgreSQL 14+ nor SQLite
     * @throws DataAccessException if the database does not answer
     */
    public static CredentialDatabase of(DataSource dataSource, PlatformTransactionManager transactions) {
        return new CredentialDatabase(
                required(dataSource, "DataSource"), required(transactions, "transaction manager"), System::nanoTime);
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** Returns the DataSource, but a transaction on its connections sees what others commit meanwhile. */
    DataSource readCommittedDataSource() {
        return traits.readCommitted() ? dataSource : new ReadCommittedDataSource(dataSource);
    }

    /** Returns the SQL that differs between the supported databases. */
    public SqlDialect dialect() {
        return traits.dialect();
    }

    /**
     * Returns the schema in which statements create tables, as it was at the first call; empty on SQLite, which has no
     * schemas.
     *
     * @throws SchemaException if the search path names a missing schema first, or none that exists
     */
    public Optional<String> schema() {
        return isFile() ? Optional.empty() : Optional.of(postgresSchema().required());
    }

    /**
     * Checks that statements with unqualified names reach no table of another schema. Tables need not exist.
     *
     * @throws SchemaException if they reach one, or as {@link #schema()}
     */
    void requireOwn(List<String> tables) {
        if (!isFile()) {
            postgresSchema().requireOwn(rawStatements, tables);
        }
    }

    private PostgresSchema postgresSchema() {
        PostgresSchema known = schema;
        if (known == null) {
            known = PostgresSchema.read(rawStatements);
            schema = known;
        }
        return known;
    }

    /** Whether the {@link #schema()} contains a table of this name, written in SQL without quotes. */
    public boolean hasTable(String name) {
        return jdbc.sql(dialect().tableExists())
                        .param("table", required(name, "name"))
                        .query(Integer.class)
                        .single()
                == 1;
    }

    /**
     * Runs statements, each in the caller's transaction or else on a connection on which it commits by itself. There,
     * PostgreSQL has ten seconds to answer; a statement without an answer may have been executed nevertheless. Results
     * that stay open, such as streams, are not supported.
     */
    public JdbcClient jdbc() {
        return jdbc;
    }

    /**
     * Runs one statement once for each set of named parameters, in one round trip where the driver can.
     *
     * @return the number of rows that each changed
     */
    public int[] batchUpdate(String sql, List<SqlParameterSource> parameters) {
        return statements.batchUpdate(
                required(sql, "statement"),
                required(parameters, "list of parameters").toArray(SqlParameterSource[]::new));
    }

    /**
     * Runs work in the caller's transaction, or in a new one that is rolled back when the work throws. PostgreSQL has half
     * a minute for a new transaction, and may have committed one that fails for lack of an answer. The limit does not hold
     * in a caller's transaction, which has its own.
     *
     * @throws ReadOnlyTransactionException if the caller's transaction is read-only
     * @throws TransactionException if the transaction can be neither begun, committed nor rolled back; if the
     *     database is lost or the time is up meanwhile, this or a {@link DataAccessException} is thrown
     */
    public <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return transactions.run(required(work, "work"));
    }

    /**
     * Runs work as {@link #inTransaction(Supplier)} does, but none of its statements waits longer than a limit, for a
     * lock or for a result. The limit does not hold in a caller's transaction, which has its own.
     *
     * @param limit how long the transaction may take; rounded up to whole seconds
     * @throws TransactionException if the transaction can be neither begun, committed nor rolled back, or the time is up
     *     before a statement
     * @throws DataAccessException if a statement fails or runs out of time
     */
    public <T extends @Nullable Object> T inTransaction(Duration limit, Supplier<T> work) {
        return transactions.run(required(limit, "limit"), required(work, "work"));
    }

    /**
     * Has PostgreSQL end the transaction of this thread when it is idle for ten seconds: a node that is cut off within it
     * must not keep rows locked.
     */
    public void limitIdleTime() {
        if (!isFile()) {
            jdbc.sql(LIMIT_IDLE_TIME).update();
        }
    }

    /**
     * Runs one statement that writes: on PostgreSQL as {@link #jdbc} does, on SQLite in a transaction, which waits for the
     * write lock at its beginning.
     *
     * @throws DataAccessException if the statement fails, no connection is available, or the time is up
     * @throws TransactionException on SQLite, if the file cannot be locked
     */
    public <T extends @Nullable Object> T write(Supplier<T> statement) {
        required(statement, "statement");
        requireWritable();
        return isFile() ? inTransaction(statement) : statement.get();
    }

    /**
     * Runs one statement on its own connection, where it commits by itself, even if the caller has a transaction.
     * PostgreSQL has ten seconds to answer. Not for SQLite, where the caller may hold the only write lock.
     *
     * @throws DataAccessException if the statement fails, no connection is available, or the time is up
     */
    public <T extends @Nullable Object> T outsideTransaction(Supplier<T> statement) {
        return alone(required(statement, "statement"));
    }

    /**
     * Runs one query as {@link #jdbc} does, at the least cost: with parameters by position, and without looking for a row
     * after those that are extracted.
     *
     * @param extractor must neither keep nor close the rows
     * @throws DataAccessException if the query fails, no connection is available, or the time is up
     */
    public <T extends @Nullable Object> T read(
            String sql, PreparedStatementSetter parameters, ResultSetExtractor<T> extractor) {
        required(sql, "statement");
        required(parameters, "setter of parameters");
        required(extractor, "extractor");
        if (isInTransaction()) {
            return rawStatements.query(sql, parameters, extractor);
        }
        if (!traits.readCommitted()) {
            return alone(() -> rawStatements.query(sql, parameters, extractor));
        }
        try {
            return AutoCommit.query(dataSource, nanoTime, sql, parameters, extractor);
        } catch (SQLException e) {
            DataAccessException translated =
                    rawStatements.getExceptionTranslator().translate("read", sql, e);
            throw translated == null ? new UncategorizedSQLException("read", sql, e) : translated;
        }
    }

    private <T extends @Nullable Object> T alone(Supplier<T> statement) {
        return AutoCommit.run(dataSource, nanoTime, traits.readCommitted() ? null : LONE_READ_COMMITTED, statement);
    }

    /**
     * Checks that a transaction of this thread can write.
     *
     * @throws ReadOnlyTransactionException if it cannot
     */
    public void requireWritable() {
        transactions.requireWritable();
    }

    private boolean joinsTransaction() {
        return isInTransaction() || AutoCommit.isRunning(dataSource);
    }

    /**
     * Runs an action after the transaction of this thread commits, or immediately if there is none; never if the
     * transaction, or the part of it since a savepoint before this call, is rolled back. What the action throws can reach
     * the caller of the commit, although the commit stands.
     */
    public void afterCommit(Runnable action) {
        transactions.afterCommit(required(action, "action"));
    }

    /**
     * Runs an action after the transaction of this thread has ended, whether or not it was committed, or immediately if
     * there is none. What the action throws after a transaction is logged.
     */
    public void afterCompletion(Runnable action) {
        transactions.afterCompletion(required(action, "action"));
    }

    /**
     * Whether this thread's statements run in a transaction; one on another DataSource does not count, even if the thread
     * also uses a connection of this one.
     */
    public boolean isInTransaction() {
        return transactions.isActive();
    }

    private boolean isFile() {
        return traits.dialect() == SqlDialect.SQLITE;
    }

    private static <T> T required(T argument, String name) {
        return Objects.requireNonNull(argument, () -> "The " + name + " must not be null");
    }

    /** Transactions are bound to the DataSource behind such a proxy, and our statements join them without it. */
    private static DataSource target(DataSource given) {
        DataSource target = given instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? given : target;
    }
}
