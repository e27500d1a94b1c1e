package io.credential.spring.test;

import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.json.JsonMapper;

import io.credential.webhook.event.ExtensibleEnum;
import io.credential.webhook.event.WebhookEvent;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventCatalogBuilder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class WebhookEventContractTests {

    @TempDir
    Path directory;

    enum Closed {
        A,
        B
    }

    enum Wider {
        A,
        B,
        C
    }

    enum Narrower {
        A
    }

    @ExtensibleEnum
    enum Extensible {
        A,
        B
    }

    @ExtensibleEnum
    enum ExtensibleWider {
        A,
        B,
        C
    }

    record Part(String name) {}

    record OptionalPart(@Nullable String name) {}

    @WebhookEvent("e")
    record Empty() {}

    @WebhookEvent("e")
    record Text(String v) {}

    @WebhookEvent("e")
    record OptionalText(@Nullable String v) {}

    @WebhookEvent("e")
    record Renamed(String renamed) {}

    @WebhookEvent("e")
    record TextAndMore(String v, String more) {}

    @WebhookEvent("e")
    record Int(int v) {}

    @WebhookEvent("e")
    record LongNumber(long v) {}

    @WebhookEvent("e")
    record DoubleNumber(double v) {}

    @WebhookEvent("e")
    record Time(Instant v) {}

    @WebhookEvent("e")
    record Link(URI v) {}

    @WebhookEvent("e")
    @SuppressWarnings("ArrayRecordComponent") // only its schema matters
    record Bytes(byte[] v) {}

    @WebhookEvent("e")
    record ClosedValue(Closed v) {}

    @WebhookEvent("e")
    record WiderValue(Wider v) {}

    @WebhookEvent("e")
    record NarrowerValue(Narrower v) {}

    @WebhookEvent("e")
    record ExtensibleValue(Extensible v) {}

    @WebhookEvent("e")
    record ExtensibleWiderValue(ExtensibleWider v) {}

    @WebhookEvent("e")
    record Parts(List<Part> v) {}

    @WebhookEvent("e")
    record OptionalParts(List<OptionalPart> v) {}

    @WebhookEvent("e")
    record OnePart(Part v) {}

    @WebhookEvent("e")
    record Counts(Map<String, Integer> v) {}

    @WebhookEvent("e")
    record Amounts(Map<String, BigInteger> v) {}

    @WebhookEvent("e")
    record Tags(Set<String> v) {}

    @WebhookEvent("e")
    record TagList(List<String> v) {}

    @WebhookEvent("f")
    record Other(String v) {}

    @BeforeEach
    @AfterEach
    void clear() {
        System.clearProperty(WebhookEventContract.WRITE_PROPERTY);
    }

    static List<Arguments> incompatible() {
        return List.of(
                Arguments.of(Text.class, Other.class, List.of("e: the event was removed")),
                Arguments.of(Text.class, Empty.class, List.of("e: v was removed or renamed")),
                Arguments.of(Text.class, Renamed.class, List.of("e: v was removed or renamed")),
                Arguments.of(Text.class, OptionalText.class, List.of("e: v may be missing", "e: v may be null")),
                Arguments.of(Text.class, Int.class, List.of("e: v was string, and is integer")),
                Arguments.of(Int.class, DoubleNumber.class, List.of("e: v was integer, and is number")),
                Arguments.of(Int.class, LongNumber.class, List.of("e: v had the format int32, and has int64")),
                Arguments.of(Time.class, Text.class, List.of("e: v had the format date-time, and has none")),
                Arguments.of(Time.class, Link.class, List.of("e: v had the format date-time, and has uri")),
                Arguments.of(Text.class, Bytes.class, List.of("e: v changed its encoding")),
                Arguments.of(ClosedValue.class, WiderValue.class, List.of("e: v may be 'C', which is new")),
                Arguments.of(ClosedValue.class, NarrowerValue.class, List.of("e: v is never 'B' any more")),
                Arguments.of(ClosedValue.class, ExtensibleValue.class, List.of("e: v may be other strings than A, B")),
                Arguments.of(ClosedValue.class, Text.class, List.of("e: v may be other strings than A, B")),
                Arguments.of(ExtensibleValue.class, NarrowerValue.class, List.of("e: v is never 'B' any more")),
                Arguments.of(
                        Parts.class,
                        OptionalParts.class,
                        List.of("e: v[].name may be missing", "e: v[].name may be null")),
                Arguments.of(OnePart.class, Counts.class, List.of("e: v was a record, and is a map")),
                Arguments.of(Counts.class, OnePart.class, List.of("e: v was a map, and is a record")),
                Arguments.of(Counts.class, Amounts.class, List.of("e: v{} had the format int32, and has none")),
                Arguments.of(Tags.class, TagList.class, List.of("e: v may contain equal elements")));
    }

    @ParameterizedTest
    @MethodSource("incompatible")
    void assertWhenChangeIsIncompatibleThenFails(Class<?> before, Class<?> after, List<String> problems) {
        WebhookEventContract contract = committed(catalog(before));

        assertThat(contract.incompatibilities(catalog(after))).isEqualTo(problems);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> contract.assertKeptBy(catalog(after)))
                .withMessageContaining(problems.get(0))
                .withMessageContaining("delete the file");
    }

    static List<Arguments> compatible() {
        return List.of(
                Arguments.of(Text.class, TextAndMore.class),
                Arguments.of(OptionalText.class, Text.class),
                Arguments.of(DoubleNumber.class, Int.class),
                Arguments.of(Text.class, Time.class),
                Arguments.of(Text.class, ClosedValue.class),
                Arguments.of(ExtensibleValue.class, ExtensibleWiderValue.class),
                Arguments.of(ExtensibleValue.class, ClosedValue.class),
                Arguments.of(ExtensibleValue.class, Text.class),
                Arguments.of(TagList.class, Tags.class));
    }

    @ParameterizedTest
    @MethodSource("compatible")
    void assertWhenChangeIsCompatibleThenIsNotCurrent(Class<?> before, Class<?> after) {
        WebhookEventContract contract = committed(catalog(before));

        assertThat(contract.incompatibilities(catalog(after))).isEmpty();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> contract.assertKeptBy(catalog(after)))
                .withMessageContainingAll("is not current", "-Dwebhook-events.write=true");
    }

    @Test
    void assertWhenNothingChangedThenPasses() {
        committed(catalog(Text.class, Other.class)).assertKeptBy(catalog(Text.class, Other.class));
    }

    @Test
    void assertWhenEventIsAddedThenIsCompatible() {
        assertThat(committed(catalog(Text.class)).incompatibilities(catalog(Text.class, Other.class)))
                .isEmpty();
    }

    @Test
    void assertWhenFileIsMissingThenSaysHowToWriteIt() {
        WebhookEventContract contract = WebhookEventContract.of(file());

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> contract.assertKeptBy(catalog(Text.class)))
                .withMessageContainingAll("is missing", "-Dwebhook-events.write=true");
    }

    @Test
    void assertWhenWritingThenWritesMissingFile() {
        System.setProperty(WebhookEventContract.WRITE_PROPERTY, "true");
        WebhookEventContract.of(file()).assertKeptBy(catalog(Text.class));
        System.clearProperty(WebhookEventContract.WRITE_PROPERTY);

        WebhookEventContract.of(file()).assertKeptBy(catalog(Text.class));
    }

    @Test
    void assertWhenWritingThenUpdatesFile() throws IOException {
        WebhookEventContract contract = committed(catalog(Text.class));
        System.setProperty(WebhookEventContract.WRITE_PROPERTY, "true");

        contract.assertKeptBy(catalog(TextAndMore.class));

        assertThat(Files.readString(file())).contains("more");
    }

    @Test
    void assertWhenWritingIncompatibleThenKeepsFile() throws IOException {
        WebhookEventContract contract = committed(catalog(Text.class));
        String before = Files.readString(file());
        System.setProperty(WebhookEventContract.WRITE_PROPERTY, "true");

        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> contract.assertKeptBy(catalog(Int.class)));

        assertThat(Files.readString(file())).isEqualTo(before);
    }

    @Test
    void incompatibilitiesWhenFileIsNotJsonThenFails() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "no JSON");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> WebhookEventContract.of(file()).incompatibilities(catalog(Text.class)))
                .withMessageContaining("not a JSON Schema");
    }

    @Test
    void inMemoryWebhooksThenDispatchTypedEvents() {
        try (WebhookReceiver receiver = WebhookReceiver.start();
                InMemoryWebhooks webhooks = InMemoryWebhooks.builder()
                        .eventCatalog(catalog(Text.class))
                        .build()) {
            webhooks.dispatcher().registerEndpoint(receiver.endpoint("shop-7", "e"));

            webhooks.dispatcher().enqueue(new Text("kettle"));

            assertThat(receiver.awaitDelivery("e").body()).isEqualTo("{\"v\":\"kettle\"}");
        }
    }

    private WebhookEventContract committed(WebhookEventCatalog catalog) {
        WebhookEventContract contract = WebhookEventContract.of(file());
        contract.write(catalog);
        return contract;
    }

    private Path file() {
        return directory.resolve("src/webhook-events.json");
    }

    private static WebhookEventCatalog catalog(Class<?>... types) {
        WebhookEventCatalogBuilder builder =
                WebhookEventCatalog.builder(JsonMapper.builder().build());
        for (Class<?> type : types) {
            builder.add(type);
        }
        return builder.build();
    }
}
