package io.credential.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.ReflectionUtils;

/**
 * Runs each operation outside a transaction in its own, because the DataSource would roll it back or isolate it too
 * strictly. An operation that leaves its result open, such as a stream, is not supported.
 */
final class TransactionalOperations implements InvocationHandler {

    private final JdbcOperations operations;
    private final BooleanSupplier inTransaction;
    private final Transactions transactions;

    private TransactionalOperations(
            JdbcOperations operations, BooleanSupplier inTransaction, Transactions transactions) {
        this.operations = operations;
        this.inTransaction = inTransaction;
        this.transactions = transactions;
    }

    /** Runs an operation in a new transaction. */
    @FunctionalInterface
    interface Transactions {
        @Nullable Object run(Supplier<@Nullable Object> operation);
    }

    /** @param inTransaction whether this thread has a transaction */
    static JdbcOperations of(JdbcOperations operations, BooleanSupplier inTransaction, Transactions transactions) {
        return (JdbcOperations) Proxy.newProxyInstance(
                JdbcOperations.class.getClassLoader(),
                new Class<?>[] {JdbcOperations.class},
                new TransactionalOperations(operations, inTransaction, transactions));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        return inTransaction.getAsBoolean() ? call(method, arguments) : transactions.run(() -> call(method, arguments));
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) {
        return ReflectionUtils.invokeMethod(method, operations, arguments == null ? new Object[0] : arguments);
    }
}
