package io.credential.spring.autoconfigure.diagnostics;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

import io.credential.spring.autoconfigure.properties.CredentialProperties;

/** The names under {@code credential}, read off the property records, to suggest one for a name that is unknown. */
final class KnownProperties {

    private static final String ANY_KEY = "*";

    private final List<List<String>> names = new ArrayList<>();

    KnownProperties() {
        collect(CredentialProperties.class, List.of("credential"));
    }

    private void collect(Class<?> type, List<String> prefix) {
        for (RecordComponent component : type.getRecordComponents()) {
            List<String> name = append(prefix, DataObjectPropertyName.toDashedForm(component.getName()));
            if (Map.class.isAssignableFrom(component.getType())) {
                Class<?> valueType = valueType(component.getGenericType());
                if (valueType.isRecord()) {
                    collect(valueType, append(name, ANY_KEY));
                } else {
                    names.add(append(name, ANY_KEY));
                }
            } else if (component.getType().isRecord()) {
                collect(component.getType(), name);
            } else {
                names.add(name);
            }
        }
    }

    private static Class<?> valueType(Type mapType) {
        return (Class<?>) ((ParameterizedType) mapType).getActualTypeArguments()[1];
    }

    private static List<String> append(List<String> prefix, String element) {
        List<String> name = new ArrayList<>(prefix);
        name.add(element);
        return List.copyOf(name);
    }

    /** The known name that looks most like this one; empty when none looks like it at all. */
    Optional<String> nearest(ConfigurationPropertyName unknown) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < unknown.getNumberOfElements(); i++) {
            elements.add(unknown.getElement(i, Form.ORIGINAL));
        }
        String written = String.join(".", elements);
        return names.stream()
                .map(name -> withKeysOf(elements, name))
                .min(Comparator.comparingInt(name -> distance(written, name)))
                .filter(name -> distance(written, name) <= Math.max(3, written.length() / 3));
    }

    private static String withKeysOf(List<String> elements, List<String> name) {
        List<String> result = new ArrayList<>(name);
        for (int i = 0; i < name.size(); i++) {
            if (name.get(i).equals(ANY_KEY)) {
                result.set(i, i < elements.size() ? elements.get(i) : "<name>");
            }
        }
        return String.join(".", result);
    }

    /** How many characters must be inserted, removed or replaced. */
    private static int distance(String from, String to) {
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
