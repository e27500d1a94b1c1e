package io.credential.spring.autoconfigure.properties;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Checks for the property records, because Bean Validation may be missing. */
final class PropertyRules {

    private PropertyRules() {}

    /**
     * @throws InvalidConfigurationPropertyValueException naming the property, its value and what to write instead
     */
    static void require(boolean holds, String property, @Nullable Object value, String remedy) {
        if (!holds) {
            throw new InvalidConfigurationPropertyValueException(property, value, remedy);
        }
    }

    /**
     * Rejects a placeholder without a value: Spring leaves it in the text.
     *
     * @throws InvalidConfigurationPropertyValueException if the text contains one
     */
    static void requireResolved(String property, String text) {
        require(!text.contains("${"), property, text, "Set the variable that the placeholder names.");
    }

    /**
     * Returns the result of converting the value.
     *
     * @throws InvalidConfigurationPropertyValueException naming the property, if the conversion fails
     */
    static <V, T> T accepted(String property, V value, Function<V, T> maker) {
        try {
            return maker.apply(value);
        } catch (RuntimeException e) {
            throw new InvalidConfigurationPropertyValueException(property, value, e.getMessage(), e);
        }
    }
}
