package io.credential.apikey;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ApiKeyRegistryOptionsTests {

    private static final ApiKeyRegistryOptions LIVE = ApiKeyRegistryOptions.forNamespace("live");

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                bad(
                        () -> ApiKeyRegistryOptions.forNamespace("li_ve"),
                        "namespace must be 1 to 64 visible ASCII characters without '_', but is 'li_ve'"),
                bad(
                        () -> ApiKeyRegistryOptions.forNamespace("li ve"),
                        "namespace must be 1 to 64 visible ASCII characters without '_', but is 'li ve'"),
                bad(
                        () -> ApiKeyRegistryOptions.forNamespace(""),
                        "namespace must be 1 to 64 visible ASCII characters without '_', but is ''"),
                bad(
                        () -> LIVE.withPrefix("b_k"),
                        "prefix must be 1 to 32 visible ASCII characters without '_', but is 'b_k'"),
                bad(
                        () -> LIVE.withPrefix(""),
                        "prefix must be 1 to 32 visible ASCII characters without '_', but is ''"),
                bad(() -> LIVE.withIdBytes(7), "idBytes must be 8 to 32, but is '7'"),
                bad(() -> LIVE.withIdBytes(33), "idBytes must be 8 to 32, but is '33'"),
                bad(() -> LIVE.withSecretBytes(15), "secretBytes must be 16 to 64, but is '15'"),
                bad(() -> LIVE.withSecretBytes(65), "secretBytes must be 16 to 64, but is '65'"),
                bad(
                        () -> LIVE.withPurgeAfter(Duration.ofMillis(-1)),
                        "purgeAfter must be zero or longer, but is 'PT-0.001S'"),
                bad(
                        () -> LIVE.withRotationGrace(Duration.ofSeconds(59)),
                        "rotationGrace must be 1 minute to 90 days, but is 'PT59S'"),
                bad(
                        () -> LIVE.withRotationGrace(Duration.ofDays(91)),
                        "rotationGrace must be 1 minute to 90 days, but is 'PT2184H'"),
                bad(
                        () -> LIVE.withMaxLifetime(Duration.ofSeconds(59)),
                        "maxLifetime must be 1 minute to 36500 days, but is 'PT59S'"),
                bad(
                        () -> LIVE.withMaxLifetime(Duration.ofDays(36_501)),
                        "maxLifetime must be 1 minute to 36500 days, but is 'PT876024H'"),
                bad(
                        () -> LIVE.withDisableAfterIdle(Duration.ofHours(23)),
                        "disableAfterIdle must be 1 to 3650 days, but is 'PT23H'"),
                bad(
                        () -> LIVE.withDisableAfterIdle(Duration.ofDays(3651)),
                        "disableAfterIdle must be 1 to 3650 days, but is 'PT87624H'"),
                bad(
                        () -> LIVE.withDisableAfterIdle(Duration.ofDays(90)).withTrackLastUsed(false),
                        "disableAfterIdle (disable-after-idle) requires trackLastUsed (track-last-used): otherwise,"
                                + " idle keys cannot be recognized. Set trackLastUsed to true, or remove"
                                + " disableAfterIdle"));
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void optionWhenOutOfRangeThenRefusedByName(Supplier<ApiKeyRegistryOptions> options, String message) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(options::get)
                .withMessage(message)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    @Test
    void forNamespaceThenOtherOptionsAreTheDefaults() {
        assertThat(LIVE.prefix()).isEqualTo("bk");
        assertThat(LIVE.idBytes()).isEqualTo(8);
        assertThat(LIVE.secretBytes()).isEqualTo(16);
        assertThat(LIVE.hashAlgorithm().text()).isEqualTo("shake256");
        assertThat(LIVE.purgeAfter()).isEqualTo(Duration.ofDays(90));
        assertThat(LIVE.rotationGrace()).isEqualTo(Duration.ofDays(7));
        assertThat(LIVE.trackLastUsed()).isTrue();
        assertThat(LIVE.auditSuccess()).isTrue();
        assertThat(LIVE.auditFailures()).isTrue();
        assertThat(LIVE.maxLifetime()).isNull();
        assertThat(LIVE.requireExpiry()).isFalse();
        assertThat(LIVE.disableAfterIdle()).isNull();
    }

    @Test
    void gracefulWhenGraceIsOutOfRangeThenRefused() {
        assertThat(Rotation.graceful(Duration.ofMinutes(1))).isEqualTo(new Rotation.Graceful(Duration.ofMinutes(1)));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> Rotation.graceful(Duration.ofSeconds(59)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> Rotation.graceful(Duration.ofDays(90).plusMillis(1)))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    @Test
    void withLimitWhenOutOfRangeThenRefused() {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> ListOptions.defaults().withLimit(0))
                .withMessage("limit must be 1 to 1000, but is 0");
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(() -> ListOptions.defaults().withLimit(1001))
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }

    private static Arguments bad(Supplier<ApiKeyRegistryOptions> options, String message) {
        return Arguments.of(options, message);
    }
}
