package io.credential.testing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls public methods, also inherited ones, with null for one parameter, whether it may be null or not. */
public final class MissingArguments {

    private MissingArguments() {}

    /** Returns the arguments of a parameterized test: the instance to call, the method, and the index of its parameter. */
    public static Stream<Arguments> of(List<Supplier<Object>> targets) {
        return targets.stream()
                .flatMap(target -> methods(target.get().getClass())
                        .flatMap(method -> IntStream.range(0, method.getParameterCount())
                                .filter(i -> !method.getParameterTypes()[i].isPrimitive())
                                .mapToObj(i -> Arguments.argumentSet(
                                        method.getDeclaringClass().getName() + "." + method.getName()
                                                + Arrays.toString(method.getParameterTypes()) + " " + i,
                                        target,
                                        method,
                                        i))));
    }

    /** A builder inherits options from classes that are not public. */
    private static Stream<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(
                        type, owner -> owner.getPackageName().startsWith("io.credential"), Class::getSuperclass)
                .flatMap(owner -> Stream.of(owner.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && !method.isBridge()
                        && method.trySetAccessible());
    }

    /**
     * Returns what the call throws; null if it accepts null, which the parameter then declares.
     *
     * @param samples an argument for each type of the other parameters
     */
    public static @Nullable Throwable failure(
            Supplier<Object> target, Method method, int missing, Map<Class<?>, Object> samples)
            throws IllegalAccessException {
        @Nullable Object[] arguments = Stream.of(method.getParameterTypes())
                .map(type -> type.isPrimitive() ? (Object) true : samples.get(type))
                .toArray();
        arguments[missing] = null;
        try {
            method.invoke(target.get(), arguments);
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
        assertThat(method.getAnnotatedParameterTypes()[missing].isAnnotationPresent(Nullable.class))
                .as("null passes, so it is declared @Nullable")
                .isTrue();
        return null;
    }
}
