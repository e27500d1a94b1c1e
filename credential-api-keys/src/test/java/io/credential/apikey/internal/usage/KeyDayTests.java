package io.credential.apikey.internal.usage;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeyDayTests {

    private static final KeyDay KEY_DAY = new KeyDay("live", "b", 2);

    @Test
    void equalsThenEveryPartCounts() {
        assertThat(KEY_DAY)
                .isEqualTo(new KeyDay("live", "b", 2))
                .hasSameHashCodeAs(new KeyDay("live", "b", 2))
                .isNotEqualTo(new KeyDay("test", "b", 2))
                .isNotEqualTo(new KeyDay("live", "a", 2))
                .isNotEqualTo(new KeyDay("live", "b", 1))
                .isNotEqualTo("live/b/2");
    }

    @Test
    void orderThenByNamespaceIdAndDay() {
        assertThat(Stream.of(
                                new KeyDay("test", "a", 1),
                                new KeyDay("live", "b", 3),
                                KEY_DAY,
                                new KeyDay("live", "a", 4))
                        .sorted())
                .containsExactly(
                        new KeyDay("live", "a", 4), KEY_DAY, new KeyDay("live", "b", 3), new KeyDay("test", "a", 1));
    }
}
