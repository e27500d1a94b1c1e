package io.credential.webhook.delivery;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.http.FailureReason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the options of a dispatch, of a list and of the back-off may be. */
class DispatcherArgumentTests {

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\n", "ä", "\u007f"})
    void idempotencyKeyWhenNotVisibleAsciiThenRefused(String key) {
        assertRefused(() -> DispatchOptions.none().withIdempotencyKey(key), "idempotencyKey");
    }

    @Test
    void idempotencyKeyWhenOver255CharactersThenRefused() {
        assertThat(DispatchOptions.none().withIdempotencyKey("~".repeat(255)).idempotencyKey())
                .hasSize(255);
        assertRefused(() -> DispatchOptions.none().withIdempotencyKey("k".repeat(256)), "idempotencyKey");
    }

    @Test
    void audienceWhenNotANameThenRefused() {
        assertRefused(() -> DispatchOptions.none().withAudience("a b"), "audience");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "**", "tenant-1,*"})
    void audienceWhenWildcardThenRefused(String audience) {
        assertRefused(() -> DispatchOptions.none().withAudience(audience), "audience");
        assertRefused(
                () -> EndpointRegistration.of("id", "https://a.example/", "secret", "e")
                        .audience(audience),
                "audience");
    }

    @Test
    void everyAudienceWhenOneIsNamedThenRefused() {
        assertRefused(() -> DispatchOptions.none().withAudience("tenant-1").toEveryAudience(), "toEveryAudience");
        assertRefused(() -> DispatchOptions.none().toEveryAudience().withAudience("tenant-1"), "toEveryAudience");
    }

    @Test
    void dispatchOptionsThenAddUp() {
        assertThat(DispatchOptions.none()
                        .withAudience("tenant-1")
                        .withIdempotencyKey("k")
                        .asIndependent())
                .isEqualTo(new DispatchOptions("k", "tenant-1", true, false));
    }

    @Test
    void everyAudienceThenStays() {
        assertThat(DispatchOptions.none()
                        .toEveryAudience()
                        .withIdempotencyKey("k")
                        .asIndependent())
                .isEqualTo(new DispatchOptions("k", null, true, true));
    }

    @Test
    void limitThenIs1To1000And100ByDefault() {
        assertThat(DeliveryQuery.all().limit()).isEqualTo(100);
        assertThat(DeliveryQuery.all().withLimit(1).withLimit(1000).limit()).isEqualTo(1000);
        assertRefused(() -> DeliveryQuery.all().withLimit(0), "limit");
        assertRefused(() -> DeliveryQuery.all().withLimit(1001), "limit");
    }

    @Test
    void deliveryQueryThenAddsUpItsFilters() {
        assertThat(DeliveryQuery.all()
                        .withStatus(DeliveryStatus.DEAD)
                        .withEndpoint("shop")
                        .withReason(FailureReason.REFUSED)
                        .withLimit(5))
                .isEqualTo(new DeliveryQuery(
                        "shop",
                        null,
                        DeliveryStatus.DEAD,
                        null,
                        FailureReason.REFUSED,
                        null,
                        null,
                        null,
                        null,
                        null,
                        0,
                        5,
                        null));
    }

    @ParameterizedTest
    @EnumSource
    void deliveryStatusThenIsFoundByItsText(DeliveryStatus status) {
        assertThat(DeliveryStatus.ofText(status.text())).contains(status);
    }

    @Test
    void deliveryStatusThenIsWrittenInLowerCase() {
        assertThat(DeliveryStatus.values())
                .extracting(DeliveryStatus::text)
                .containsExactly("pending", "in-flight", "delivered", "dead");
        assertThat(DeliveryStatus.ofText("PENDING")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void payloadFormatThenIsFoundByItsText(PayloadFormat format) {
        assertThat(PayloadFormat.ofText(format.text())).contains(format);
    }

    @Test
    void pauseMillisWhenNoJitterThenFollowsTheSpecification() {
        RetryBackoff exact = new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(60), 2, 0);

        assertThat(IntStream.rangeClosed(1, 12).mapToLong(n -> exact.pauseMillis(n, new Random(n)) / 1000))
                .containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 1280L, 2560L, 3600L, 3600L);
        assertThat(exact.pauseMillis(1000, new Random())).isEqualTo(3_600_000);
        assertThat(exact.pauseMillis(Integer.MAX_VALUE, new Random())).isEqualTo(3_600_000);
    }

    @Test
    void pauseMillisWhenJitteredThenNeverPastTheLongest() {
        RetryBackoff jittered = RetryBackoff.defaults();
        RetryBackoff exact = new RetryBackoff(jittered.initial(), jittered.max(), jittered.factor(), 0);
        Random random = new Random(1);

        for (int round = 0; round < 1000; round++) {
            int attempt = 1 + round % 14;
            long shortest = exact.pauseMillis(attempt, random);
            assertThat(jittered.pauseMillis(attempt, random))
                    .isBetween(shortest, Math.min(3_600_000, shortest + shortest / 10));
        }
        assertThat(IntStream.range(0, 100)
                        .mapToLong(i -> jittered.pauseMillis(3, random))
                        .distinct()
                        .count())
                .as("nodes do not all come back at once")
                .isGreaterThan(50);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, PT1H, 2, 0, initial",
        "PT2H, PT1H, 2, 0, initial",
        "PT1S, PT1H, 0.9, 0, factor",
        "PT1S, PT1H, 101, 0, factor",
        "PT1S, PT1H, NaN, 0, factor",
        "PT1S, PT1H, 2, -0.1, jitter",
        "PT1S, PT1H, 2, 1.1, jitter",
        "PT1S, PT1H, 2, NaN, jitter"
    })
    void retryBackoffWhenOutOfRangeThenRefused(
            Duration initial, Duration max, double factor, double jitter, String what) {
        assertRefused(() -> new RetryBackoff(initial, max, factor, jitter), what);
    }

    private static void assertRefused(Runnable construction, String what) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(construction::run)
                .withMessageContaining(what)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }
}
