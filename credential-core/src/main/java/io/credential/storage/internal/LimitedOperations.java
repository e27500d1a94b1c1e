package io.credential.storage.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.ReflectionUtils;

/**
 * Runs each operation that is not part of a transaction on its own connection, for a limited time. There it commits, even
 * if the DataSource would roll it back. An operation that leaves its result open, such as a stream, is not supported.
 */
final class LimitedOperations implements InvocationHandler {

    private final JdbcOperations operations;
    private final BooleanSupplier joins;
    private final Alone alone;

    private LimitedOperations(JdbcOperations operations, BooleanSupplier joins, Alone alone) {
        this.operations = operations;
        this.joins = joins;
        this.alone = alone;
    }

    /** Runs an operation on its own connection. */
    @FunctionalInterface
    interface Alone {
        @Nullable Object run(Supplier<@Nullable Object> operation);
    }

    /** @param joins whether this thread has a connection that operations join */
    static JdbcOperations of(JdbcOperations operations, BooleanSupplier joins, Alone alone) {
        return (JdbcOperations) Proxy.newProxyInstance(
                JdbcOperations.class.getClassLoader(),
                new Class<?>[] {JdbcOperations.class},
                new LimitedOperations(operations, joins, alone));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
        return joins.getAsBoolean() ? call(method, arguments) : alone.run(() -> call(method, arguments));
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) {
        return ReflectionUtils.invokeMethod(method, operations, arguments == null ? new Object[0] : arguments);
    }
}
