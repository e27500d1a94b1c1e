package io.credential.audit;

import java.net.URI;
import java.nio.CharBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent.Outcome;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers choose much of what is audited, and may send a token there. All sinks get the same event. */
class AuditEventTests {

    private static final String MASKED = "bk_live_0011223344556677_***";
    private static final String TOKEN = MASKED.replace("***", "00112233445566778899aabbccddeeff");

    private static AuditEvent event(String text, Map<String, Object> attributes) {
        return new AuditEvent(
                "apikey.issue",
                Outcome.FAILURE,
                text,
                text,
                "api-key",
                text,
                Instant.EPOCH,
                attributes,
                new AuditOrigin(text, text, text));
    }

    @Test
    void createWhenTextContainsATokenThenItIsMasked() {
        AuditEvent event = event(TOKEN, Map.of("text", "for " + TOKEN));

        assertThat(event.toString()).doesNotContain("aabbccddeeff");
        assertThat(event.actor()).isEqualTo(MASKED);
        assertThat(event.reason()).isEqualTo(MASKED);
        assertThat(event.resourceId()).isEqualTo(MASKED);
        assertThat(event.origin()).isEqualTo(new AuditOrigin(MASKED, MASKED, MASKED));
        assertThat(event.attributes()).isEqualTo(Map.of("text", "for " + MASKED));
    }

    @Test
    void createWhenTokenIsEncodedThenItIsMasked() {
        AuditEvent event = event(TOKEN.toUpperCase(Locale.ROOT).replace("_", "%5f"), Map.of());

        assertThat(event.actor()).isEqualTo("BK%5fLIVE%5f0011223344556677%5f***");
    }

    @Test
    void createWhenValuesContainTokensThenTheyAreMasked() {
        Map<String, Object> attributes = Map.of(
                "list", List.of("a", TOKEN, 1),
                "map", Map.of("key", List.of(TOKEN)),
                "uri", URI.create("https://example.org/" + TOKEN),
                "characters", CharBuffer.wrap(TOKEN));

        assertThat(event("x", attributes).attributes())
                .isEqualTo(Map.of(
                        "list",
                        List.of("a", MASKED, 1),
                        "map",
                        Map.of("key", List.of(MASKED)),
                        "uri",
                        "https://example.org/" + MASKED,
                        "characters",
                        MASKED));
    }

    @Test
    void createWhenArraysContainTokensThenTheyAreMasked() {
        Map<String, Object> attributes = Map.of(
                "array", new String[] {"a", TOKEN},
                "nested", Map.of("key", new Object[] {1, new String[] {TOKEN}}),
                "characters", TOKEN.toCharArray());

        assertThat(event("x", attributes).attributes())
                .isEqualTo(Map.of(
                        "array",
                        List.of("a", MASKED),
                        "nested",
                        Map.of("key", List.of(1, List.of(MASKED))),
                        "characters",
                        MASKED));
    }

    @Test
    void createWhenValueContainsItselfThenOmitted() {
        List<Object> list = new ArrayList<>(List.of(TOKEN));
        list.add(list);

        assertThat(event("x", Map.of("list", list)).attributes()).isEqualTo(Map.of("list", "(omitted)"));
    }

    @Test
    void createWhenValueIsTooLargeToSearchThenOmitted() {
        Map<String, Object> attributes = Map.of("list", Collections.nCopies(10_001, 1));

        assertThat(event("x", attributes).attributes()).isEqualTo(Map.of("list", "(omitted)"));
    }

    @Test
    void createWhenValueHasTooManyNullsThenOmitted() {
        Map<String, Object> attributes = Map.of("list", Collections.nCopies(10_001, null));

        assertThat(event("x", attributes).attributes()).isEqualTo(Map.of("list", "(omitted)"));
    }

    @Test
    void createWhenThereIsNoTokenThenValuesAreTheSame() {
        Map<String, Object> attributes =
                Map.of("count", 1, "time", Instant.EPOCH, "uri", URI.create("https://a.example"));

        assertThat(event("alice_1", attributes).attributes()).isEqualTo(attributes);
    }

    @Test
    void createWhenTokenIsCutThenNothingOfItsSecretRemains() {
        String userAgent = "x".repeat(200) + TOKEN + "y".repeat(200);

        assertThat(new AuditOrigin(null, userAgent, null).userAgent())
                .isEqualTo("x".repeat(200) + MASKED)
                .hasSizeLessThanOrEqualTo(256);
    }
}
