package io.credential.spring.autoconfigure.diagnostics.internal;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.autoconfigure.properties.internal.WebhookKey;

/** Collects the names of all properties from the records, to suggest one for an unknown name. */
final class KnownProperties {

    private static final String ANY_KEY = "*";

    /** Follows the name of a list in the name of its elements. */
    private static final String ANY_INDEX = "[]";

    private final List<String> names = new ArrayList<>();
    private final List<String[]> patterns = new ArrayList<>();

    /** Without those of libraries that are not on the class path. */
    KnownProperties() {
        collect(CredentialProperties.class, "credential");
        Arrays.stream(Library.values())
                .filter(Library::isPresent)
                .forEach(library -> collect(library.properties(), library.prefix()));
        names.forEach(this::addPattern);
    }

    /** Reads the parameters of constructors, because a native image has no record components. */
    private void collect(Class<?> type, String prefix) {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        Parameter[] parameters = constructor.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(parameters[i].getName());
            Class<?> valueType = parameters[i].getType();
            if (Map.class.isAssignableFrom(valueType)) {
                name += "." + ANY_KEY;
                // The parameters themselves have no generic type if a JDK 21 or newer compiled a compact constructor.
                valueType =
                        ResolvableType.forConstructorParameter(constructor, i).resolveGeneric(1);
            }
            if (valueType != null && valueType.isRecord()) {
                collect(valueType, name);
            } else {
                names.add(name);
            }
            if (valueType == WebhookKey.class) {
                names.add(name + ".private-key");
                names.add(name + ".public-key");
            }
            if (valueType == List.class) {
                addPattern(name + "." + ANY_INDEX);
            }
        }
    }

    private void addPattern(String name) {
        patterns.add(StringUtils.delimitedListToStringArray(name.replace("-", ""), "."));
    }

    /** Returns whether a property or a group of properties has this name. */
    boolean include(ConfigurationPropertyName name) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String[] pattern, ConfigurationPropertyName name) {
        return name.getNumberOfElements() <= pattern.length
                && IntStream.range(0, name.getNumberOfElements())
                        .allMatch(i -> pattern[i].equals(ANY_KEY)
                                || (pattern[i].equals(ANY_INDEX)
                                        ? name.isNumericIndex(i)
                                        : pattern[i].equals(name.getElement(i, Form.UNIFORM))));
    }

    /** Returns all names, with an asterisk for each key of a map. */
    List<String> names() {
        return List.copyOf(names);
    }

    /** Returns the known name that is most similar, or empty if none is similar enough. */
    Optional<String> nearest(ConfigurationPropertyName unknown) {
        List<String> elements = IntStream.range(0, unknown.getNumberOfElements())
                .mapToObj(i -> unknown.getElement(i, Form.ORIGINAL))
                .toList();
        String written = String.join(".", elements);
        return names.stream()
                .map(name -> withKeysOf(elements, name))
                .min(Comparator.comparingInt(name -> distance(written, name)))
                .filter(name -> distance(written, name) <= Math.max(3, written.length() / 3));
    }

    private static String withKeysOf(List<String> elements, String name) {
        String[] result = StringUtils.delimitedListToStringArray(name, ".");
        for (int i = 0; i < result.length; i++) {
            if (result[i].equals(ANY_KEY)) {
                result[i] = i < elements.size() ? elements.get(i) : "<name>";
            }
        }
        return String.join(".", result);
    }

    /** Returns the number of characters to insert, remove or replace. */
    static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, Math.min(previous[column], current[column - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
