package io.credential.testing;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.provider.Arguments;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Calls public constructors and methods with null, once for each parameter that must not be null. */
public final class NullArguments {

    private NullArguments() {}

    /**
     * Returns the arguments of a parameterized test: a constructor or method, its parameter, and the instance to call.
     *
     * @param called the types, each with an instance for its methods
     */
    public static Stream<Arguments> parameters(Map<Class<?>, Supplier<Object>> called) {
        return called.entrySet().stream()
                .flatMap(entry -> executables(entry.getKey())
                        .flatMap(executable -> Arrays.stream(executable.getParameters())
                                .filter(NullArguments::mustNotBeNull)
                                .map(parameter -> arguments(executable, parameter, entry.getValue()))));
    }

    /**
     * Calls with null for one parameter, and throws what the call throws.
     *
     * @param samples an argument for each type of the other parameters
     */
    public static void call(
            Executable executable, Parameter parameter, Supplier<Object> instance, Map<Class<?>, Object> samples)
            throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<>();
        for (Parameter other : executable.getParameters()) {
            arguments.add(other.equals(parameter) ? null : samples.get(other.getType()));
        }
        try {
            if (executable instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments.toArray());
            } else {
                ((Method) executable).invoke(instance.get(), arguments.toArray());
            }
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Stream<Executable> executables(Class<?> type) {
        return Stream.<Executable>concat(
                        Arrays.stream(type.getConstructors()), Arrays.stream(type.getDeclaredMethods()))
                .filter(executable -> Modifier.isPublic(executable.getModifiers()) && !executable.isSynthetic())
                .filter(executable -> !executable.getName().equals("equals"));
    }

    private static boolean mustNotBeNull(Parameter parameter) {
        return !parameter.getType().isPrimitive() && !annotatedType(parameter).isAnnotationPresent(Nullable.class);
    }

    /** The canonical constructor of a record loses the annotations of its components. */
    private static AnnotatedType annotatedType(Parameter parameter) {
        Executable executable = parameter.getDeclaringExecutable();
        RecordComponent[] components = executable instanceof Constructor<?>
                        && executable.getDeclaringClass().isRecord()
                ? executable.getDeclaringClass().getRecordComponents()
                : new RecordComponent[0];
        return components.length == executable.getParameterCount()
                ? components[Arrays.asList(executable.getParameters()).indexOf(parameter)].getAnnotatedType()
                : parameter.getAnnotatedType();
    }
}
