package io.credential.storage.internal;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.storage.ReadOnlyTransactionException;

/**
 * Begins and joins transactions on one DataSource, and runs actions when they end. Thread-safe.
 */
final class DatabaseTransactions {

    /** More than any batch takes on a database that works. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final DataSource dataSource;
    private final TransactionTemplate transactions;
    private final JdbcTransactions jdbcTransactions;
    private final JdbcTemplate statements;
    private final @Nullable String first;

    /** Null for a file, which needs no limits: its locks have their own. */
    private final @Nullable LongSupplier nanoTime;

    /**
     * @param manager null for a new one
     * @param first the statement that each transaction begins with; null if there is none
     */
    DatabaseTransactions(
            DataSource dataSource,
            @Nullable PlatformTransactionManager manager,
            JdbcTemplate statements,
            @Nullable String first,
            @Nullable LongSupplier nanoTime) {
        this.dataSource = dataSource;
        this.transactions = new TransactionTemplate(
                manager == null ? transactionManager(dataSource, statements.getExceptionTranslator()) : manager);
        this.transactions.setName("credential");
        this.jdbcTransactions = new JdbcTransactions(dataSource);
        this.statements = statements;
        this.first = first;
        this.nanoTime = nanoTime;
    }

    <T extends @Nullable Object> T run(Supplier<T> work) {
        return run(transactions, LIMIT, work);
    }

    <T extends @Nullable Object> T run(Duration limit, Supplier<T> work) {
        TransactionTemplate limited = copy(transactions);
        limited.setTimeout(Math.toIntExact(limit.plusMillis(999).toSeconds()));
        return run(limited, limit, work);
    }

    void requireWritable() {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly() && isActive()) {
            throw new ReadOnlyTransactionException();
        }
    }

    boolean isActive() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        ConnectionHolder holder = boundConnection();
        return holder != null && (isExposed(holder) || jdbcTransactions.isActive());
    }

    void afterCommit(Runnable action) {
        if (isActive()) {
            TransactionSynchronizationManager.registerSynchronization(new AfterCommit(action));
        } else {
            action.run();
        }
    }

    void afterCompletion(Runnable action) {
        if (!isActive()) {
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

    private <T extends @Nullable Object> T run(TransactionTemplate template, Duration limit, Supplier<T> work) {
        requireWritable();
        if (isActive() && isExposed(boundConnection())) {
            return join(template, work);
        }
        TransactionTemplate own =
                isAfterTransaction() ? with(template, TransactionDefinition.PROPAGATION_REQUIRES_NEW) : template;
        return own.execute(status -> {
            if (!isActive()) {
                throw new IllegalStateException("The transactions of " + template.getTransactionManager()
                        + " are not bound to the DataSource and the thread, so that no statement would be part of them;"
                        + " use a JdbcTransactionManager with transaction synchronization");
            }
            if (status.isNewTransaction()) {
                startDeadline(limit);
                if (first != null) {
                    statements.execute(first);
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
        TransactionTemplate changed = copy(template);
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

    private static TransactionTemplate copy(TransactionTemplate template) {
        return new TransactionTemplate(Objects.requireNonNull(template.getTransactionManager()), template);
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
}
