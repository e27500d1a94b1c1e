package io.credential.webhook.delivery;

import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import tools.jackson.databind.json.JsonMapper;

import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.NullArguments;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.event.InvoicePaid;
import io.credential.webhook.event.WebhookEventCatalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Null for anything that must not be null is refused by its code, whatever is called. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NullArgumentTests {

    /** What callers are given, and what names a constant. */
    private static final Set<Class<?>> NOT_CALLED = Set.of(
            BulkJob.class,
            BulkJobState.class,
            Delivery.class,
            DeliveryAttempt.class,
            DeliveryPage.class,
            DeadLetterGroup.class,
            DeadLetterGroups.class,
            DispatchResult.class,
            DispatcherActivity.class,
            DispatcherBacklog.class,
            Endpoint.class,
            EndpointPage.class,
            EndpointStatistics.class,
            EndpointSummary.class,
            EventTypeAttempts.class,
            HourlyAttempts.class,
            ErasureResult.class,
            RequestedRetry.class,
            RetryOutcome.class,
            RetryResult.class,
            WebhookDispatcherException.class,
            WebhookDispatcherErrorCode.class,
            DeadReason.class,
            DeliveryStatus.class,
            PauseReason.class,
            PayloadFormat.class,
            SignatureScheme.class);

    private final TestDatabase test = TestDatabase.create(DatabaseKind.SQLITE);
    private final JdbcWebhookDispatcher dispatcher = builder().build();

    /** Each type that is called, and an instance for its methods; null when it has static ones only. */
    private final Map<Class<?>, Supplier<Object>> called = Map.ofEntries(
            Map.entry(JdbcWebhookDispatcher.class, () -> dispatcher),
            Map.entry(WebhookDispatcher.class, () -> dispatcher),
            Map.entry(JdbcWebhookDispatcherBuilder.class, this::builder),
            Map.entry(Deliveries.class, () -> dispatcher.deliveries()),
            Map.entry(DeadLetters.class, () -> dispatcher.dlq()),
            Map.entry(AudienceWebhooks.class, () -> dispatcher.forAudience("shop")),
            Map.entry(DeliveryStatistics.class, () -> dispatcher.statistics()),
            Map.entry(
                    EndpointRegistration.class,
                    () -> EndpointRegistration.of("shop", "https://shop.example/", "a secret", "e")),
            Map.entry(SecretRotation.class, SecretRotation::generated),
            Map.entry(DispatchOptions.class, DispatchOptions::none),
            Map.entry(DeliveryQuery.class, DeliveryQuery::all),
            Map.entry(DeadLetterQuery.class, DeadLetterQuery::all),
            Map.entry(ErasureQuery.class, () -> ErasureQuery.ofAudience("shop")),
            Map.entry(RetryBackoff.class, RetryBackoff::defaults));

    private final Map<Class<?>, Object> samples = Map.ofEntries(
            Map.entry(String.class, "shop"),
            Map.entry(Object.class, "{}"),
            Map.entry(Record.class, InvoicePaid.sample()),
            Map.entry(DispatchOptions.class, DispatchOptions.none()),
            Map.entry(SecretRotation.class, SecretRotation.generated()),
            Map.entry(DeliveryQuery.class, DeliveryQuery.all()),
            Map.entry(boolean.class, true),
            Map.entry(int.class, 1),
            Map.entry(double.class, 1.0),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(CredentialDatabase.class, test.database()),
            Map.entry(Keyring.class, Keyring.generate(new SecureRandom())));

    @BeforeAll
    void declareSchema() {
        dispatcher.declareSchema();
    }

    @AfterAll
    void close() {
        dispatcher.close();
        test.close();
    }

    @Test
    void publicTypesThenAreCalledOrNamedHere() {
        Set<String> types = new TreeSet<>();
        new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(WebhookDispatcher.class.getPackageName())
                        .stream()
                        .filter(type -> type.getPackageName().equals(WebhookDispatcher.class.getPackageName()))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getName)
                        .forEach(types::add);
        Set<String> named = new TreeSet<>();
        Stream.concat(called.keySet().stream(), NOT_CALLED.stream())
                .filter(type -> type.getPackageName().equals(WebhookDispatcher.class.getPackageName()))
                .map(Class::getName)
                .forEach(named::add);

        assertThat(types).isEqualTo(named);
    }

    Stream<Arguments> parameters() {
        return NullArguments.parameters(called);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("parameters")
    void callWhenAnArgumentIsNullThenBadOpts(Executable executable, Parameter parameter, Supplier<Object> instance) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> NullArguments.call(executable, parameter, instance, samples))
                .withMessageContaining("must")
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    private JdbcWebhookDispatcherBuilder builder() {
        return JdbcWebhookDispatcher.builder(test.database(), Keyring.generate(new SecureRandom()))
                .eventCatalog(WebhookEventCatalog.builder(JsonMapper.builder().build())
                        .add(InvoicePaid.class)
                        .build());
    }
}
