package io.credential.storage;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.sqlite.SqliteDriver;

/**
 * The database that everything is stored in: PostgreSQL 14 or newer, or a SQLite file. Statements run in the caller's
 * transaction when there is one on the same DataSource, with its isolation. On PostgreSQL, all others are READ COMMITTED
 * and are committed, even if the DataSource has another isolation or no auto-commit. Thread-safe.
 *
 * @since 0.1.0
 */
public final class CredentialDatabase {

    /** Takes SQLite's write lock and changes nothing. */
    private static final String TAKE_WRITE_LOCK = "update _credential_key_checks set key_id = key_id where 0";

    /** More than any batch takes on a database that works. */
    private static final Duration TRANSACTION_LIMIT = Duration.ofSeconds(30);

    private static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    private static final String LIMIT_IDLE_TIME = "SET LOCAL idle_in_transaction_session_timeout = '10s'";

    /** A process that stops before the commit must not keep rows locked. */
    private static final String LONE_READ_COMMITTED = READ_COMMITTED + "; " + LIMIT_IDLE_TIME;

    private final DataSource dataSource;
    private final SqlDialect dialect;
    private final boolean readCommitted;
    private final JdbcTemplate rawStatements;
    private final NamedParameterJdbcTemplate statements;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    /** Null before the first use, and on SQLite. */
    private volatile @Nullable PostgresSchema schema;

    private final @Nullable String firstOfTransaction;
    private final JdbcTransactions jdbcTransactions;

    /** Null for a file, which needs no limits: its locks have their own. */
    private final @Nullable LongSupplier nanoTime;

    private CredentialDatabase(DataSource given, @Nullable PlatformTransactionManager manager, LongSupplier nanoTime) {
        this.dataSource = target(given);
        JdbcTemplate template = new JdbcTemplate(dataSource);
        this.rawStatements = template;
        Product product = Product.of(template);
        this.dialect = product.dialect();
        this.nanoTime = dialect == SqlDialect.SQLITE ? null : nanoTime;
        if (dialect == SqlDialect.SQLITE) {
            this.readCommitted = true;
            this.firstOfTransaction = beginsWithoutWriteLock(template, product.name()) ? TAKE_WRITE_LOCK : null;
            template.setExceptionTranslator(SqliteDriver.exceptionTranslator());
        } else {
            this.readCommitted = isReadCommitted(template);
            this.firstOfTransaction = readCommitted ? null : READ_COMMITTED;
        }
        this.transactions = new TransactionTemplate(
                manager == null ? transactionManager(dataSource, template.getExceptionTranslator()) : manager);
        this.transactions.setName("credential");
        this.jdbcTransactions = new JdbcTransactions(dataSource);
        this.statements = new NamedParameterJdbcTemplate(LimitedOperations.of(
                template, this::joinsTransaction, (Supplier<@Nullable Object> operation) -> alone(operation)));
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
        return readCommitted ? dataSource : new ReadCommittedDataSource(dataSource);
    }

    /** Returns the SQL that differs between the supported databases. */
    public SqlDialect dialect() {
        return dialect;
    }

    /**
     * Returns the schema in which statements create tables, as it was at the first call; empty on SQLite, which has no
     * schemas.
     *
     * @throws SchemaException if the search path names a missing schema first, or none that exists
     */
    public Optional<String> schema() {
        return dialect == SqlDialect.SQLITE
                ? Optional.empty()
                : Optional.of(postgresSchema().required());
    }

    /**
     * Checks that statements with unqualified names reach no table of another schema. Tables need not exist.
     *
     * @throws SchemaException if they reach one, or as {@link #schema()}
     */
    void requireOwn(List<String> tables) {
        if (dialect == SqlDialect.POSTGRESQL) {
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
        return jdbc.sql(dialect.tableExists())
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
        return run(transactions, TRANSACTION_LIMIT, required(work, "work"));
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
        TransactionTemplate limited =
                new TransactionTemplate(Objects.requireNonNull(transactions.getTransactionManager()), transactions);
        limited.setTimeout(
                Math.toIntExact(required(limit, "limit").plusMillis(999).toSeconds()));
        return run(limited, limit, required(work, "work"));
    }

    /**
     * Has PostgreSQL end the transaction of this thread when it is idle for ten seconds: a node that is cut off within it
     * must not keep rows locked.
     */
    public void limitIdleTime() {
        if (dialect == SqlDialect.POSTGRESQL) {
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
        return dialect == SqlDialect.SQLITE ? inTransaction(statement) : statement.get();
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
        if (!readCommitted) {
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
        return AutoCommit.run(dataSource, nanoTime, readCommitted ? null : LONE_READ_COMMITTED, statement);
    }

    /**
     * Checks that a transaction of this thread can write.
     *
     * @throws ReadOnlyTransactionException if it cannot
     */
    public void requireWritable() {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly() && isInTransaction()) {
            throw new ReadOnlyTransactionException();
        }
    }

    private boolean joinsTransaction() {
        return isInTransaction() || AutoCommit.isRunning(dataSource);
    }

    private <T extends @Nullable Object> T run(TransactionTemplate template, Duration limit, Supplier<T> work) {
        requireWritable();
        if (isInTransaction() && isExposed(boundConnection())) {
            return join(template, work);
        }
        TransactionTemplate own =
                isAfterTransaction() ? with(template, TransactionDefinition.PROPAGATION_REQUIRES_NEW) : template;
        return own.execute(status -> {
            if (!isInTransaction()) {
                throw new IllegalStateException("The transactions of " + template.getTransactionManager()
                        + " are not bound to the DataSource and the thread, so that no statement would be part of them;"
                        + " use a JdbcTransactionManager with transaction synchronization");
            }
            if (status.isNewTransaction()) {
                startDeadline(limit);
                if (firstOfTransaction != null) {
                    // SQLite: otherwise the first write after a read fails when another connection has written in
                    // between.
                    // PostgreSQL: otherwise a statement fails when it meets a row that has changed since the first one.
                    rawStatements.execute(firstOfTransaction);
                }
            }
            return work.get();
        });
    }

    /**
     * Whether this thread runs a callback after its transaction has ended, such as a {@code @TransactionalEventListener}: the
     * manager would let it join that transaction, in which nothing is committed any more.
     */
    private boolean isAfterTransaction() {
        return !TransactionSynchronizationManager.isSynchronizationActive() && boundConnection() != null;
    }

    private static TransactionTemplate with(TransactionTemplate template, int propagation) {
        TransactionTemplate changed =
                new TransactionTemplate(Objects.requireNonNull(template.getTransactionManager()), template);
        changed.setPropagationBehavior(propagation);
        return changed;
    }

    /** A manager that did not begin the transaction would begin one on the same connection, and commit both. */
    private static <T extends @Nullable Object> T join(TransactionTemplate template, Supplier<T> work) {
        PlatformTransactionManager manager = Objects.requireNonNull(template.getTransactionManager());
        AtomicBoolean joined = new AtomicBoolean();
        try {
            return with(template, TransactionDefinition.PROPAGATION_MANDATORY).execute(status -> {
                joined.setPlain(true);
                return work.get();
            });
        } catch (IllegalTransactionStateException e) {
            if (joined.getPlain()) {
                throw e; // of the work
            }
            throw new IllegalStateException(
                    "The transaction of the caller cannot be joined: it was begun by a transaction manager other than "
                            + manager + "; if several managers use this DataSource, make the one that begins your"
                            + " transactions primary",
                    e);
        }
    }

    /** Limits the transaction of this thread until its end. */
    private void startDeadline(Duration limit) {
        ConnectionHolder holder = boundConnection();
        if (nanoTime != null && holder != null) {
            Deadline deadline = Deadline.start(holder.getConnection(), limit, nanoTime);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCompletion() {
                    deadline.beginCommit();
                }

                @Override
                public void afterCompletion(int status) {
                    deadline.close(); // before others get the connection
                }
            });
        }
    }

    /**
     * Runs an action after the transaction of this thread commits, or immediately if there is none; never if the
     * transaction, or the part of it since a savepoint before this call, is rolled back. What the action throws can reach
     * the caller of the commit, although the commit stands.
     */
    public void afterCommit(Runnable action) {
        required(action, "action");
        if (isInTransaction()) {
            TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
        } else {
            action.run();
        }
    }

    /**
     * Runs an action after the transaction of this thread has ended, whether or not it was committed, or immediately if
     * there is none. What the action throws after a transaction is logged.
     */
    public void afterCompletion(Runnable action) {
        required(action, "action");
        if (!isInTransaction()) {
            action.run();
            return;
        }
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        });
    }

    /**
     * Whether this thread's statements run in a transaction; one on another DataSource does not count, even if the thread
     * also uses a connection of this one.
     */
    public boolean isInTransaction() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        ConnectionHolder holder = boundConnection();
        return holder != null && (isExposed(holder) || jdbcTransactions.isActive());
    }

    private @Nullable ConnectionHolder boundConnection() {
        return TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder
                ? holder
                : null;
    }

    /** Whether the connection was bound by a manager of other transactions than those of JDBC, such as that of JPA. */
    private static boolean isExposed(@Nullable ConnectionHolder holder) {
        return holder != null && !holder.isSynchronizedWithTransaction();
    }

    private static <T> T required(T argument, String name) {
        return Objects.requireNonNull(argument, () -> "The " + name + " must not be null");
    }

    /** Transactions are bound to the DataSource behind such a proxy, and our statements join them without it. */
    private static DataSource target(DataSource given) {
        DataSource target = given instanceof TransactionAwareDataSourceProxy proxy ? proxy.getTargetDataSource() : null;
        return target == null ? given : target;
    }

    /**
     * Whether the connections begin transactions as SQLite does by default: without the write lock.
     *
     * @throws UnsupportedDatabaseException if the driver begins them in its own, broken way
     */
    private static boolean beginsWithoutWriteLock(JdbcTemplate template, String product) {
        Optional<String> mode = Objects.requireNonNull(
                template.execute((Connection connection) -> SqliteDriver.transactionMode(connection)));
        mode.filter(name -> !name.equals("DEFERRED")).ifPresent(name -> {
            throw new UnsupportedDatabaseException(
                    product + " with transaction_mode=" + name,
                    "in this mode the driver loses the transaction when the database is busy; remove "
                            + "transaction_mode from the DataSource, or use SqliteDataSource.pooled(path)");
        });
        return mode.isPresent();
    }

    /**
     * Whether a transaction sees what others have committed before each statement, unless it asks for anything else. A
     * connection that the thread has already does not tell: its transaction may have asked.
     */
    private static boolean isReadCommitted(JdbcTemplate template) {
        return !TransactionSynchronizationManager.hasResource(Objects.requireNonNull(template.getDataSource()))
                && Objects.requireNonNull(template.execute((Connection connection) ->
                        connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED));
    }

    private static PlatformTransactionManager transactionManager(
            DataSource dataSource, SQLExceptionTranslator translator) {
        JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
        manager.setExceptionTranslator(translator);
        return manager;
    }

    /** Knows which connections are bound to a thread because of a JDBC transaction. */
    private static final class JdbcTransactions extends DataSourceTransactionManager {

        JdbcTransactions(DataSource dataSource) {
            super(dataSource);
        }

        boolean isActive() {
            return isExistingTransaction(doGetTransaction());
        }
    }

    /**
     * Runs an action in {@code afterCommit}, or else in {@code afterCompletion}: Spring skips the former if another callback
     * fails, and for changes that a callback makes.
     */
    private static final class AfterCommit implements TransactionSynchronization {

        private final Runnable action;
        private final Set<Object> laterSavepoints = Collections.newSetFromMap(new IdentityHashMap<>());
        private boolean ended;

        AfterCommit(Runnable action) {
            this.action = action;
        }

        @Override
        public void savepoint(Object savepoint) {
            laterSavepoints.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            ended |= !laterSavepoints.contains(savepoint);
        }

        @Override
        public void afterCommit() {
            if (!ended) {
                ended = true;
                action.run();
            }
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_COMMITTED) {
                afterCommit();
            }
        }
    }

    private record Product(SqlDialect dialect, String name) {

        static Product of(JdbcTemplate template) {
            Product product = template.execute((Connection connection) -> of(connection.getMetaData()));
            if (product == null) {
                throw new IllegalStateException("The JDBC driver provides no metadata");
            }
            return product;
        }

        private static Product of(DatabaseMetaData metaData) throws SQLException {
            String name = metaData.getDatabaseProductName();
            String version = metaData.getDatabaseProductVersion();
            return new Product(SqlDialect.of(name, metaData.getDatabaseMajorVersion(), version), name + " " + version);
        }
    }
}
