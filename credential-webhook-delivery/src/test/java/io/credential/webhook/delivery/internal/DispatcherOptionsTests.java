package io.credential.webhook.delivery.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.seal.internal.Keyring;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.WebhookDispatcherException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DispatcherOptionsTests {

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.SQLITE);

    @Test
    void defaultsThenAreThoseOfTheSpecification() {
        assertThat(options(builder -> builder))
                .isEqualTo(TestDispatcherOptions.withCapacity(100, 256, 16, 64L * 1024 * 1024));
        assertThat(RetryBackoff.defaults())
                .isEqualTo(new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(60), 2, 0.1));
    }

    static Stream<Arguments> outOfRange() {
        return Stream.of(
                refused("maxAttempts", b -> b.maxAttempts(0)),
                refused("maxAttempts", b -> b.maxAttempts(1001)),
                refused("batchSize", b -> b.batchSize(0)),
                refused("batchSize", b -> b.batchSize(1001)),
                refused("requestTimeout", b -> b.requestTimeout(Duration.ofMillis(99))),
                refused("maxInFlight", b -> b.maxInFlight(0)),
                refused("maxInFlight", b -> b.maxInFlight(10_001)),
                refused("maxInFlightPerEndpoint", b -> b.maxInFlightPerEndpoint(0)),
                refused("dispatchWait", b -> b.dispatchWait(Duration.ZERO)),
                refused("dispatchWait", b -> b.dispatchWait(Duration.ofHours(1).plusMillis(1))),
                refused("maxInFlightBytes", b -> b.maxInFlightBytes(0)),
                refused("maxPayloadSize", b -> b.maxPayloadSize(0)),
                refused("retention", b -> b.retention(Duration.ZERO)),
                refused("payloadRetention", b -> b.payloadRetention(Duration.ofMillis(-1))),
                refused(
                        "payloadRetention",
                        b -> b.payloadRetention(Duration.ofDays(36_500).plusMillis(1))),
                refused("pauseAfter", b -> b.pauseAfter(Duration.ofMinutes(1).minusMillis(1))),
                refused("pauseAfter", b -> b.pauseAfter(Duration.ofDays(365).plusMillis(1))),
                refused("secretOverlap", b -> b.secretOverlap(Duration.ofMillis(-1))),
                refused("secretOverlap", b -> b.secretOverlap(Duration.ofDays(7).plusMillis(1))),
                refused("retention", b -> b.retention(Duration.ofSeconds(Long.MAX_VALUE))),
                refused("requestTimeout", b -> b.requestTimeout(Duration.ofSeconds(Long.MAX_VALUE))),
                refused("claimReclaimAfter", b -> b.claimReclaimAfter(Duration.ofSeconds(Long.MAX_VALUE))),
                refused(
                        "claimReclaimAfter",
                        b -> b.requestTimeout(Duration.ofSeconds(150).plusMillis(1))));
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void optionWhenOutOfRangeThenRefusedByItsName(String name, UnaryOperator<JdbcWebhookDispatcherBuilder> change) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> options(change))
                .withMessageContaining(name)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "No Blank", "a_b", "X-Webhook-Event-Id", "x-webhook-anything", "User-Agent", "Host"})
    void signatureHeaderWhenInvalidOrTakenThenRefused(String name) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> JdbcWebhookDispatcher.builder(test.database(), Keyring.generate(new SecureRandom()))
                        .signatureHeader(name)
                        .build())
                .withMessageContaining("signatureHeader")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    /** One of the default names, too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "No Blank",
                "a,b",
                "Host",
                "User-Agent",
                "Content-Length",
                "traceparent",
                "Webhook-Id",
                "x-hub-signature-256",
                "Stripe-Signature",
                "x-signature",
                "x-webhook-event-id"
            })
    void headerNameWhenInvalidOrTakenThenRefused(String name) {
        assertRefused(new RequestHeaders("X-Id", "X-Webhook-Event-Id", name, "", ""), "headers.eventType");
        assertRefused(new RequestHeaders("X-Id", "", "", "x".repeat(129), ""), "headers.attempt");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "shop ", "sh\u00f6p", "shop\r\nX: y"})
    void userAgentWhenInvalidThenRefused(String value) {
        assertRefused(new RequestHeaders("", "", "", "", value), "userAgent");
        assertRefused(new RequestHeaders("", "", "", "", "x".repeat(257)), "userAgent");
    }

    private void assertRefused(RequestHeaders headers, String option) {
        JdbcWebhookDispatcherBuilder builder = JdbcWebhookDispatcher.builder(
                        test.database(), Keyring.generate(new SecureRandom()))
                .signatureHeader("X-Signature")
                .requestHeaders(headers);
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(builder::build)
                .withMessageStartingWith(option)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void pauseAfterWhenZeroThenAccepted() {
        assertThat(options(b -> b.pauseAfter(Duration.ZERO)).pauseAfter()).isZero();
    }

    @Test
    void requestTimeoutWhenHalfAClaimThenAccepted() {
        assertThat(options(b -> b.requestTimeout(Duration.ofSeconds(150))).requestTimeout())
                .hasSeconds(150);
    }

    @Test
    void maxInFlightPerEndpointThenIsAtMostMaxInFlight() {
        assertThat(options(b -> b.maxInFlight(4)).maxInFlightPerEndpoint()).isEqualTo(4);
    }

    @Test
    void settleMarginWhenClaimIsShortThenIsAQuarterOfIt() {
        assertThat(options(b -> b.requestTimeout(Duration.ofSeconds(1)).claimReclaimAfter(Duration.ofSeconds(8)))
                        .settleMargin())
                .hasSeconds(2);
    }

    private DispatcherOptions options(UnaryOperator<JdbcWebhookDispatcherBuilder> change) {
        return TestDispatcherOptions.of(
                change.apply(JdbcWebhookDispatcher.builder(test.database(), Keyring.generate(new SecureRandom()))));
    }

    private static Arguments refused(String name, UnaryOperator<JdbcWebhookDispatcherBuilder> change) {
        return arguments(name, change);
    }
}
