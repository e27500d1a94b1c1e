package io.credential.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Writes down each statement when it is prepared, and each change of auto-commit, which begins or ends a transaction. */
public final class RecordedStatements extends DelegatingDataSource {

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final List<String> transactions = new CopyOnWriteArrayList<>();
    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final Map<String, Runnable> actions = new ConcurrentHashMap<>();
    private final Map<Thread, List<String>> ofCalls = new ConcurrentHashMap<>();

    public RecordedStatements(DataSource target) {
        super(target);
    }

    /** In the order in which they were prepared. */
    public List<String> statements() {
        return statements;
    }

    /** Returns what a call prepares on this thread, whatever others do meanwhile. */
    public List<String> preparedBy(Runnable call) {
        List<String> prepared = new ArrayList<>();
        ofCalls.put(Thread.currentThread(), prepared);
        try {
            call.run();
        } finally {
            ofCalls.remove(Thread.currentThread());
        }
        return prepared;
    }

    public List<String> transactions() {
        return transactions;
    }

    /** Forgets what was written down. */
    public void clear() {
        statements.clear();
        transactions.clear();
    }

    /** From now on, no statement with this text can be prepared. */
    public void refuse(String text) {
        refused.add(text);
    }

    /** From now on, every statement can be prepared again. */
    public void allowAll() {
        refused.clear();
    }

    /** Runs an action once, before the next statement with this text is prepared. */
    public void before(String text, Runnable action) {
        actions.put(text, action);
    }

    private void prepare(String statement) throws SQLException {
        for (String text : List.copyOf(actions.keySet())) {
            Runnable action = statement.contains(text) ? actions.remove(text) : null;
            if (action != null) {
                action.run();
            }
        }
        statements.add(statement);
        List<String> prepared = ofCalls.get(Thread.currentThread());
        if (prepared != null) {
            prepared.add(statement);
        }
        if (refused.stream().anyMatch(statement::contains)) {
            throw new SQLException("refused");
        }
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "prepareStatement" -> prepare((String) arguments[0]);
                        case "createStatement" -> statements.add("a statement that was not prepared");
                        case "setAutoCommit" -> transactions.add("auto-commit " + arguments[0]);
                        default -> {}
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
