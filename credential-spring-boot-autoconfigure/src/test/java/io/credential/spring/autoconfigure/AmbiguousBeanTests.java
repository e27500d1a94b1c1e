package io.credential.spring.autoconfigure;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.credential.audit.AuditSink;
import io.credential.spring.autoconfigure.webhook.WebhookAutoConfiguration;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.HostResolver;
import io.credential.webhook.http.WebhookTransport;

import static org.assertj.core.api.Assertions.assertThat;

/** Two beans where one is wanted stop the start; a default in place of both would be a choice that nobody made. */
class AmbiguousBeanTests {

    static Stream<Arguments> replaceable() {
        return Stream.of(
                Arguments.of(AuditSink.class, AuditSink.none()),
                Arguments.of(
                        DestinationPolicy.class, DestinationPolicy.builder().build()),
                Arguments.of(HostResolver.class, HostResolver.system()),
                Arguments.of(WebhookTransport.class, (WebhookTransport) request -> {
                    throw new AssertionError("sent");
                }));
    }

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("replaceable")
    <T> void startWhenTwoBeansThenFailsNamingThem(Class<T> type, T bean) {
        for (ApplicationContextRunner runner : List.of(
                StarterRunner.bare(),
                StarterRunner.unconfigured()
                        .withPropertyValues(
                                "credential.keyring.location=ephemeral:",
                                "credential.storage.path=" + directory.resolve("credential.db")),
                StarterRunner.bare().withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class)),
                StarterRunner.bare().withPropertyValues("spring.main.lazy-initialization=true"))) {
            runner.withBean("firstOfTwo", type, () -> bean)
                    .withBean("secondOfTwo", type, () -> bean)
                    .run(context -> {
                        FailureAnalysis analysis = Analyses.of(context);
                        assertThat(analysis.getDescription())
                                .contains(type.getSimpleName(), "firstOfTwo", "secondOfTwo");
                        assertThat(analysis.getAction()).contains("@Primary");
                    });
        }
    }

    @ParameterizedTest
    @MethodSource("replaceable")
    <T> void startWhenOneOfTwoIsPrimaryThenStarts(Class<T> type, T bean) {
        StarterRunner.bare()
                .withConfiguration(AutoConfigurations.of(WebhookAutoConfiguration.class))
                .withBean("firstOfTwo", type, () -> bean)
                .withBean("secondOfTwo", type, () -> bean, definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
