package io.credential.storage.internal;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JsonTextTests {

    /** "aB" and "b!" have the same hash. */
    @Test
    void readObjectWhenNamesHaveTheSameHashThenRead() {
        Map<String, Integer> object = IntStream.range(0, 1 << 10)
                .boxed()
                .collect(Collectors.toMap(
                        i -> IntStream.range(0, 10)
                                .mapToObj(bit -> (i >> bit & 1) == 0 ? "aB" : "b!")
                                .collect(Collectors.joining()),
                        i -> i));

        assertThat(JsonText.readObject(JsonText.write(object))).isEqualTo(object);
    }
}
