package io.credential.webhook.delivery;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EndpointRegistrationTests {

    private static final String URL = "https://hooks.example/";
    private static final String SECRET = "hunter2-hunter2-hunter2";

    @Test
    void ofWhenEverythingIsAtItsLimitThenAccepted() {
        String name = "aZ0._:-" + "x".repeat(248);
        List<String> events = IntStream.range(0, 1000).mapToObj(i -> "e" + i).toList();

        EndpointRegistration registration = EndpointRegistration.of(name, "u".repeat(2048), events, "s".repeat(4096))
                .audience(name);

        assertThat(registration.endpointId()).isEqualTo(name);
        assertThat(registration.audience()).isEqualTo(name);
        assertThat(registration.eventTypes()).isEqualTo(events);
        assertThat(registration.secret().length()).isEqualTo(4096);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "a b", "a/b", "ä", "a\n", "*"})
    void ofWhenEndpointIdIsNoNameThenRefused(@Nullable String id) {
        assertRefused(() -> EndpointRegistration.of(id, URL, List.of("e"), SECRET), "endpointId");
    }

    @Test
    void ofWhenNameHas256CharactersThenRefused() {
        String name = "x".repeat(256);

        assertRefused(() -> EndpointRegistration.of(name, URL, SECRET, "e"), "endpointId");
        assertRefused(() -> EndpointRegistration.of("id", URL, SECRET, name), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, SECRET, "e").audience(name), "audience");
    }

    @Test
    void ofWhenUrlIsMissingOrTooLongThenRefused() {
        assertRefused(() -> EndpointRegistration.of("id", null, List.of("e"), SECRET), "url");
        assertRefused(() -> EndpointRegistration.of("id", "", List.of("e"), SECRET), "url");
        assertRefused(() -> EndpointRegistration.of("id", "u".repeat(2049), List.of("e"), SECRET), "url");
    }

    @Test
    void ofWhenEventTypesAreInvalidThenRefused() {
        List<String> many = IntStream.range(0, 1001).mapToObj(i -> "e" + i).toList();

        assertRefused(() -> EndpointRegistration.of("id", URL, null, SECRET), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of(), SECRET), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, many, SECRET), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("order.*"), SECRET), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("e", "a b"), SECRET), "eventTypes");
        assertRefused(() -> EndpointRegistration.of("id", URL, Arrays.asList("e", null), SECRET), "eventTypes");
    }

    @Test
    void eventTypesWhenRepeatedThenKeptOnce() {
        assertThat(EndpointRegistration.of("id", URL, List.of("b", "*", "b", "a", "*"), SECRET)
                        .eventTypes())
                .containsExactly("b", "*", "a");
    }

    @Test
    void eventTypesThenAreCopied() {
        List<String> events = new ArrayList<>(Collections.singleton("a"));
        EndpointRegistration registration = EndpointRegistration.of("id", URL, events, SECRET);

        events.add("b");

        assertThat(registration.eventTypes()).containsExactly("a");
    }

    @Test
    void ofWhenSecretIsMissingOrTooLongThenRefused() {
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("e"), null), "secret");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("e"), ""), "secret");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("e"), "s".repeat(4097)), "secret");
        assertRefused(() -> EndpointRegistration.of("id", URL, List.of("e"), "ä".repeat(2049)), "secret");
    }

    @Test
    void toStringThenHoldsNeitherSecretNorUrl() {
        String printed = EndpointRegistration.of("shop", URL + "?token=abc", SECRET, "order.paid")
                .toString();

        assertThat(printed).contains("shop", "order.paid").doesNotContain("hunter2", "hooks.example", "abc");
    }

    @Test
    void ofWhenRefusedThenMessageDoesNotRepeatTheValue() {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> EndpointRegistration.of(SECRET + " ", URL, SECRET, "e"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> EndpointRegistration.of("id", URL, "hunter2".repeat(1000), "e"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("hunter2"));
    }

    private static void assertRefused(Runnable construction, String what) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(construction::run)
                .withMessageContaining(what)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }
}
