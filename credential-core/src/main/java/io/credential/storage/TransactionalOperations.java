package io.credential.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Runs each operation outside a transaction in its own, because the DataSource would roll it back or isolate it too
 * strictly. An operation that leaves its result open, such as a stream, is not supported.
 */
final class TransactionalOperations implements InvocationHandler {

    private final JdbcOperations operations;
    private final BooleanSupplier joins;
    private final Transactions transactions;

    private TransactionalOperations(JdbcOperations operations, BooleanSupplier joins, Transactions transactions) {
        this.operations = operations;
        this.joins = joins;
        this.transactions = transactions;
    }

    /** Runs an operation in a new transaction. */
    @FunctionalInterface
    interface Transactions {
        @Nullable Object run(Supplier<@Nullable Object> operation);
    }

    /** @param joins whether this thread has a transaction */
    static JdbcOperations of(JdbcOperations operations, BooleanSupplier joins, Transactions transactions) {
        return (JdbcOperations) Proxy.newProxyInstance(
                JdbcOperations.class.getClassLoader(),
                new Class<?>[] {JdbcOperations.class},
                new TransactionalOperations(operations, joins, transactions));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        return joins.getAsBoolean() ? call(method, arguments) : transactions.run(() -> call(method, arguments));
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) {
        try {
            return method.invoke(operations, arguments);
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getTargetException(); // no operation declares a checked exception
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e); // the methods of an interface are public
        }
    }
}
