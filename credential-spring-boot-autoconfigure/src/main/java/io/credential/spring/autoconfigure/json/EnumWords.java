package io.credential.spring.autoconfigure.json;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;

/**
 * An enum whose constants are written as words, for example {@code in-flight}. Converts a word into its constant.
 *
 * @param type the enum
 * @param text returns the word of a constant
 */
record EnumWords<E extends Enum<E>>(Class<E> type, Function<E, String> text) implements Converter<String, @Nullable E> {

    /**
     * Returns the constant of a word, or null for an empty text.
     *
     * @throws IllegalArgumentException if the enum has no such word
     */
    @Override
    public @Nullable E convert(String word) {
        if (word.isEmpty()) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (text.apply(constant).equals(word)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("Must be one of: "
                + Arrays.stream(type.getEnumConstants()).map(text).collect(Collectors.joining(", ")));
    }
}
