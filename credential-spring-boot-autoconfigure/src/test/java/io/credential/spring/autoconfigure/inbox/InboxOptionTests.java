package io.credential.spring.autoconfigure.inbox;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.webhook.inbox.internal.InboxOptions;

import static org.assertj.core.api.Assertions.assertThat;

class InboxOptionTests {

    private static final String INBOX = "credential.webhook.inbox.";

    private final ApplicationContextRunner runner;

    InboxOptionTests(@TempDir Path directory) {
        runner = StarterRunner.bare()
                .withConfiguration(
                        AutoConfigurations.of(WebhookAutoConfiguration.class, WebhookInboxAutoConfiguration.class))
                .withPropertyValues(
                        INBOX + "enabled=true",
                        "credential.storage.path=" + directory.resolve("inbox.db"),
                        "credential.webhook.inbound.github.scheme=github",
                        "credential.webhook.inbound.github.paths=/hooks/github",
                        "credential.webhook.inbound.github.keys.v1=a secret of the tests, long enough");
    }

    @Test
    void optionsThenThoseOfTheProperties() {
        runner.withPropertyValues(
                        INBOX + "retention=2d",
                        INBOX + "threads=3",
                        INBOX + "max-attempts=5",
                        INBOX + "retry-backoff.initial=1s",
                        INBOX + "retry-backoff.max=2m")
                .run(context -> assertThat(context.getBean(InboxOptions.class))
                        .isEqualTo(new InboxOptions(
                                3, 5, Duration.ofSeconds(1), Duration.ofMinutes(2), Duration.ofDays(2))));
    }

    @ParameterizedTest
    @CsvSource({
        "retention, 0s",
        "retention, 40000d",
        "threads, 0",
        "threads, 65",
        "max-attempts, 0",
        "max-attempts, 1001",
        "retry-backoff.initial, 0s",
        "retry-backoff.max, 1s"
    })
    void startWhenOutOfRangeThenNamesTheProperty(String property, String value) {
        runner.withPropertyValues(INBOX + property + "=" + value)
                .run(context ->
                        assertThat(Analyses.of(context).getDescription()).contains(INBOX + property));
    }
}
