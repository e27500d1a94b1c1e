package io.credential.spring.autoconfigure.properties;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.unit.DataSize;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.webhook.delivery.RetryBackoff;
import io.credential.webhook.delivery.internal.RequestHeaders;

import static org.assertj.core.api.Assertions.assertThat;

class WebhookDispatcherPropertiesTests {

    private static final String DISPATCHER = "credential.webhook.dispatcher.";

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(CredentialAutoConfiguration.class));

    @Test
    void bindWhenNothingIsConfiguredThenDefaults() {
        runner.run(context -> {
            WebhookDispatcherProperties dispatcher = context.getBean(WebhookDispatcherProperties.class);
            assertThat(dispatcher.enabled()).isTrue();
            assertThat(dispatcher.maxAttempts()).isEqualTo(8);
            assertThat(dispatcher.retryBackoff().toRetryBackoff()).isEqualTo(RetryBackoff.defaults());
            assertThat(dispatcher.claimReclaimAfter()).isEqualTo(Duration.ofMinutes(5));
            assertThat(dispatcher.batchSize()).isEqualTo(100);
            assertThat(dispatcher.pollInterval()).isEqualTo(Duration.ofSeconds(1));
            assertThat(dispatcher.requestTimeout()).isEqualTo(Duration.ofSeconds(15));
            assertThat(dispatcher.dispatchWait()).isEqualTo(Duration.ofSeconds(2));
            assertThat(dispatcher.maxInFlightBytes()).isEqualTo(DataSize.ofMegabytes(64));
            assertThat(dispatcher.requireAudience()).isFalse();
            assertThat(dispatcher.maxInFlight()).isEqualTo(256);
            assertThat(dispatcher.maxInFlightPerEndpoint()).isEqualTo(16);
            assertThat(dispatcher.signatureHeader()).isEqualTo("Webhook-Signature");
            assertThat(dispatcher.requestHeaders()).isEqualTo(RequestHeaders.defaults());
            assertThat(dispatcher.allowedProtocols()).containsExactly("https", "http");
            assertThat(dispatcher.allowInternalDestinations()).isFalse();
            assertThat(dispatcher.allowedCidrs()).isEmpty();
            assertThat(dispatcher.proxy()).isEmpty();
            assertThat(dispatcher.sslBundle()).isEmpty();
            assertThat(dispatcher.maxPayloadSize()).isEqualTo(DataSize.ofMegabytes(1));
            assertThat(dispatcher.retention()).isEqualTo(Duration.ofDays(30));
            assertThat(dispatcher.payloadRetention()).isZero();
            assertThat(dispatcher.pauseAfter()).isEqualTo(Duration.ofDays(5));
            assertThat(dispatcher.secretOverlap()).isEqualTo(Duration.ofHours(24));
            assertThat(dispatcher.operationalEvents())
                    .isEqualTo(new WebhookDispatcherProperties.OperationalEvents(
                            false, Duration.ofDays(7), Duration.ofDays(1), Duration.ofMinutes(15)));
            assertThat(dispatcher.endpointsTable()).isEqualTo("_credential_webhook_endpoints");
            assertThat(dispatcher.deliveriesTable()).isEqualTo("_credential_webhook_deliveries");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            max-attempts               | 0
            max-attempts               | 1001
            retry-backoff.initial      | 0s
            retry-backoff.max          | 4s
            retry-backoff.max          | 366d
            retry-backoff.factor       | 0.9
            retry-backoff.factor       | 101
            retry-backoff.factor       | NaN
            retry-backoff.jitter       | -0.1
            retry-backoff.jitter       | 1.1
            claim-reclaim-after        | 29s
            claim-reclaim-after        | 8d
            batch-size                 | 0
            batch-size                 | 1001
            poll-interval              | 0s
            poll-interval              | 36501d
            request-timeout            | 99ms
            request-timeout            | 61m
            dispatch-wait              | 0s
            dispatch-wait              | 61m
            max-in-flight-bytes        | 0B
            max-in-flight              | 0
            max-in-flight              | 10001
            max-in-flight-per-endpoint | 0
            signature-header           | a b
            signature-header           | Content-Type
            signature-header           | User-Agent
            signature-header           | x-webhook-attempt
            headers.delivery-id        | a b
            headers.delivery-id        | Content-Type
            headers.event-id           | X-Webhook-Delivery-Id
            headers.event-type         | x-hub-signature-256
            headers.attempt            | webhook-signature
            user-agent                 | shöp
            allowed-protocols          | ftp
            allowed-cidrs              | 10.0.0.0/33
            proxy                      | https://proxy.example.org:3128
            proxy                      | http://proxy.example.org
            proxy                      | http://pr oxy:1
            max-payload-size           | 0B
            max-payload-size           | 257MB
            retention                  | 0s
            payload-retention          | -1s
            payload-retention          | 36501d
            pause-after                | 59s
            pause-after                | 366d
            secret-overlap             | -1ms
            secret-overlap             | 8d
            operational-events.expiry-notice | 0s
            operational-events.grace-notice  | 36501d
            operational-events.backlog-age   | 0s
            endpoints-table            | a-b
            endpoints-table            | 1a
            deliveries-table           | ''
            deliveries-table           | _CREDENTIAL_webhook_endpoints
            """)
    void startWhenValueIsInvalidThenNamesTheProperty(String property, String value) {
        runner.withPropertyValues(DISPATCHER + property + "=" + value)
                .run(context -> assertThat(refusal(context.getStartupFailure()).getName())
                        .isEqualTo(DISPATCHER + property));
    }

    @Test
    void startWhenTwoHeadersHaveOneNameThenExplains() {
        runner.withPropertyValues(DISPATCHER + "signature-header=X-Mac", DISPATCHER + "headers.attempt=x-mac")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains(DISPATCHER + "headers.attempt", "x-mac");
                    assertThat(analysis.getAction()).contains("the name of another header");
                });
    }

    private static InvalidConfigurationPropertyValueException refusal(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof InvalidConfigurationPropertyValueException)) {
            cause = cause.getCause();
        }
        if (cause == null) {
            throw new AssertionError("Refused by something else", failure);
        }
        return (InvalidConfigurationPropertyValueException) cause;
    }

    @Test
    void startWhenClaimIsShorterThanTwoTimeoutsThenExplains() {
        runner.withPropertyValues(DISPATCHER + "request-timeout=3m").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains(DISPATCHER + "claim-reclaim-after", "PT5M");
            assertThat(analysis.getAction()).contains("at least twice '" + DISPATCHER + "request-timeout' (PT3M)");
        });
    }

    @Test
    void startWhenNoticeIsLongerThanRetentionThenExplains() {
        runner.withPropertyValues(DISPATCHER + "retention=3d")
                .run(context -> assertThat(context).hasNotFailed());
        runner.withPropertyValues(DISPATCHER + "retention=3d", DISPATCHER + "operational-events.enabled=true")
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription())
                            .contains(DISPATCHER + "operational-events.expiry-notice", "PT168H");
                    assertThat(analysis.getAction()).contains("'" + DISPATCHER + "retention' (PT72H)");
                });
    }

    @Test
    void startWhenJitterIsNoNumberThenExplains() {
        runner.withPropertyValues(DISPATCHER + "retry-backoff.jitter=some")
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains(DISPATCHER + "retry-backoff.jitter", "must be a number"));
    }

    @Test
    void startWhenPropertyIsMisspelledThenNamesTheRightOne() {
        runner.withPropertyValues(DISPATCHER + "max-attemts=3")
                .run(context -> assertThat(Analyses.of(context).getAction())
                        .contains("Did you mean '" + DISPATCHER + "max-attempts'?"));
    }

    @Test
    void startWhenEnabledIsNoBooleanThenExplains() {
        StarterRunner.unconfigured()
                .withPropertyValues(DISPATCHER + "enabled=perhaps")
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains(DISPATCHER + "enabled"));
    }
}
