package io.credential.webhook.event;

import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.json.JsonMapper;

import io.credential.testing.NullArguments;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NullArgumentTests {

    static Stream<Arguments> parameters() {
        return NullArguments.parameters(Map.of(
                WebhookEventCatalog.class,
                WebhookEventCatalog::empty,
                WebhookEventCatalogBuilder.class,
                () -> WebhookEventCatalog.builder(JsonMapper.builder().build()),
                WebhookOpenApi.class,
                () -> WebhookOpenApi.of(WebhookEventCatalog.empty())));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("parameters")
    void callWhenAnArgumentIsNullThenFails(Executable executable, Parameter parameter, Supplier<Object> instance) {
        assertThatExceptionOfType(WebhookEventException.class)
                .isThrownBy(() -> NullArguments.call(executable, parameter, instance, Map.of()))
                .withMessageContaining("must not be null");
    }
}
