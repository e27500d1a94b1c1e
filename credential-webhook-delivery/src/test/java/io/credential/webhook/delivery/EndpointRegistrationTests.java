package io.credential.webhook.delivery;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        assertThat(Objects.requireNonNull(registration.secret()).length()).isEqualTo(4096);
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a:b",
                "ä",
                "Host",
                "connection",
                "Transfer-Encoding",
                "TE",
                "Keep-Alive",
                "User-Agent",
                "Content-Type",
                "content-encoding",
                "X-Webhook-Attempt",
                "Webhook-Signature",
                "webhook-id",
                "Proxy-Authorization",
                "traceparent",
                "Tracestate",
                "baggage"
            })
    void headerWhenNameIsInvalidOrReservedThenRefused(String name) {
        assertRefused(() -> registration().header(name, "value"), "name of a header");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "ä", "Host", "user-agent", "Content-Type", "Proxy-Status", "traceparent"})
    void signatureHeaderWhenInvalidOrReservedThenRefused(String name) {
        assertRefused(() -> registration().signatureHeader(name), "signatureHeader");
    }

    @Test
    void signatureHeaderThenHasAsManyCharactersAsOthers() {
        String longest = "x".repeat(128);

        assertThat(registration().signatureHeader(longest).signatureHeader()).isEqualTo(longest);
        assertRefused(() -> registration().signatureHeader(longest + "x"), "signatureHeader");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " hunter2", "hunter2 ", "hunter2\r\nX: y", "hünter2", "hunter2\0"})
    void headerWhenValueIsInvalidThenRefusedWithoutIt(String value) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(() -> registration().header("X-Token", value))
                .withMessageContaining("X-Token")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("nter2"))
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }

    @Test
    void headerWhenThereAreTooManyThenRefused() {
        EndpointRegistration registration = registration();
        for (int i = 0; i < 20; i++) {
            registration = registration.header("X-" + i, "value");
        }
        EndpointRegistration full = registration.header("x-7", "another value");

        assertThat(full.headers()).hasSize(20).containsKey("X-7");
        assertRefused(() -> full.header("X-20", "value"), "headers");
    }

    @Test
    void headersWhenTheyAreTooLongThenRefused() {
        EndpointRegistration full = registration().header("X-Long", "x".repeat(4090));

        assertRefused(() -> full.header("X-More", "x"), "headers");
        assertRefused(() -> registration().header("X-Long", "\n".repeat(4097)), "headers");
    }

    @Test
    void toStringThenDoesNotHoldHeaders() {
        EndpointRegistration registration = registration().header("Authorization", "hunter2");

        assertThat(registration.toString()).doesNotContain("hunter2");
        assertThat(registration.headers().toString()).doesNotContain("hunter2");
    }

    @Test
    void keepingHeadersWhenSecretIsGivenThenRefused() {
        assertRefused(() -> registration().keepingHeaders(), "generated secret");
        assertThat(EndpointRegistration.withGeneratedSecret("shop", URL, List.of("e"))
                        .keepingHeaders()
                        .name("Shop")
                        .isKeepingHeaders())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "\ud800"})
    void nameWhenInvalidThenRefused(String name) {
        assertRefused(() -> registration().name(name), "name");
        assertRefused(() -> registration().name("x".repeat(129)), "name");
    }

    @Test
    void metadataWhenItIsNotSmallJsonThenRefused() {
        assertRefused(() -> registration().metadata(Map.of("a", "x".repeat(4096))), "metadata");
        assertRefused(() -> registration().metadata(Map.of("a", Double.NaN)), "metadata");
        assertRefused(() -> registration().metadata(Map.of("a", new BigDecimal("1e999"))), "metadata");
        assertRefused(() -> registration().metadata(Map.of("a", "\ud800")), "metadata");
        assertRefused(() -> registration().metadata(Map.of("\ud800", "a")), "metadata");
        Map<String, Object> nested = Map.of();
        for (int level = 1; level < 33; level++) {
            nested = Map.of("a", nested);
        }
        Map<String, Object> tooDeep = nested;
        assertRefused(() -> registration().metadata(tooDeep), "levels");
    }

    private static EndpointRegistration registration() {
        return EndpointRegistration.of("shop", URL, SECRET, "order.paid");
    }

    private static void assertRefused(Runnable construction, String what) {
        assertThatExceptionOfType(WebhookDispatcherException.class)
                .isThrownBy(construction::run)
                .withMessageContaining(what)
                .returns("webhook-dispatcher/bad-opts", WebhookDispatcherException::code);
    }
}
