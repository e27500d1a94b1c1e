package io.credential.spring.leak.internal;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.testing.MutableClock;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PublishedKeysTests {

    private static final ReportKey FIRST = ReportKey.fromPem(new Partner().pem());
    private static final ReportKey SECOND = ReportKey.fromPem(new Partner().pem());

    private final MutableClock clock = MutableClock.atNewYear();
    private final List<String> etags = new ArrayList<>();
    private @Nullable Map<String, ReportKey> answer = Map.of("1", FIRST);
    private boolean unchanged;
    private final PublishedKeys keys = new PublishedKeys(this::fetch, clock);

    private Optional<PublishedKeys.Fetched> fetch(@Nullable String etag) throws IOException {
        etags.add(String.valueOf(etag));
        if (answer == null) {
            throw new IOException("no network");
        }
        return unchanged ? Optional.empty() : Optional.of(new PublishedKeys.Fetched(answer, "tag"));
    }

    @Test
    void findWhenKnownThenFetchedOnceInAnHour() {
        assertThat(keys.find("1")).contains(FIRST);
        clock.advance(PublishedKeys.REFRESH_AFTER.minusMillis(1));
        assertThat(keys.find("1")).contains(FIRST);
        assertThat(etags).containsExactly("null");

        clock.advance(Duration.ofMillis(1));
        unchanged = true;
        assertThat(keys.find("1")).contains(FIRST);
        assertThat(keys.find("1")).contains(FIRST);

        assertThat(etags).containsExactly("null", "tag");
    }

    @Test
    void findWhenUnknownThenFetchedAtMostOnceAMinute() {
        assertThat(keys.find("2")).isEmpty();
        answer = Map.of("2", SECOND);
        clock.advance(PublishedKeys.PAUSE.minusMillis(1));
        assertThatExceptionOfType(KeysUnavailableException.class)
                .as("it may have been published")
                .isThrownBy(() -> keys.find("2"));
        assertThat(etags).hasSize(1);

        clock.advance(Duration.ofMillis(1));

        assertThat(keys.find("2")).contains(SECOND);
        assertThat(etags).hasSize(2);
        clock.advance(PublishedKeys.PAUSE);
        assertThat(keys.find("1")).as("not published any more").isEmpty();
    }

    @Test
    void findWhenNeverFetchedThenUnavailable() {
        answer = null;

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(KeysUnavailableException.class).isThrownBy(() -> keys.find("1"));
        }

        assertThat(etags).hasSize(1);
    }

    @Test
    void findWhenFetchFailsThenKnownKeysAreUsedForADay() {
        assertThat(keys.find("1")).contains(FIRST);
        answer = null;
        clock.advance(PublishedKeys.USABLE_FOR.minusMillis(1));
        assertThat(keys.find("1")).contains(FIRST);

        clock.advance(Duration.ofMillis(1));

        assertThatExceptionOfType(KeysUnavailableException.class).isThrownBy(() -> keys.find("1"));
    }

    @Test
    void findWhenBeingFetchedThenDoesNotWait() {
        List<String> during = new ArrayList<>();
        List<PublishedKeys> self = new ArrayList<>();
        PublishedKeys slow = new PublishedKeys(
                etag -> {
                    Thread other = new Thread(() -> {
                        try {
                            during.add("found " + self.get(0).find("1").isPresent());
                        } catch (KeysUnavailableException e) {
                            during.add("unavailable");
                        }
                    });
                    other.start();
                    Patience.join(other);
                    return Optional.of(new PublishedKeys.Fetched(Map.of("1", FIRST), null));
                },
                clock);
        self.add(slow);

        assertThat(slow.find("1")).contains(FIRST);

        assertThat(during).containsExactly("unavailable");
    }
}
