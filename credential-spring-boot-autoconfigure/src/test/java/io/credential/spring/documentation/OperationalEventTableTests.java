package io.credential.spring.documentation;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DispatcherBacklog;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.internal.OperationalEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/operating-webhooks.md} lists every operational event with its payload. */
class OperationalEventTableTests {

    private static final Instant TIME = Instant.EPOCH;

    @Test
    void tableThenListsEveryTypeWithItsPayload() {
        Map<String, String> payloads = new TreeMap<>();
        Stream.of(
                        OperationalEvent.apiKeyExpiring("live", "id", TIME),
                        OperationalEvent.oldSecretUsed("live", "id", TIME, TIME),
                        OperationalEvent.apiKeyLeaked("live", "id", 1, "disabled", "commit", "https://a.example", TIME),
                        OperationalEvent.apiKeyDisabledAsIdle("live", "id", TIME),
                        OperationalEvent.endpointPaused("id", PauseReason.MANUAL, TIME),
                        OperationalEvent.deliveryDead("id", "id", "e", "id", 1, DeadReason.INTEGRITY, TIME),
                        OperationalEvent.backlogOld(new DispatcherBacklog(1, 0, 0, TIME), TIME, TIME))
                .forEach(event -> payloads.put(event.type().text(), fields(event)));

        assertThat(payloads.keySet())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(OperationalEvent.Type.values())
                        .map(OperationalEvent.Type::text)
                        .toList())
                .allMatch(OperationalEvent::isReserved);
        DocTable.read("operating-webhooks.md", "operational event").assertColumn("payload", payloads);
    }

    private static String fields(OperationalEvent event) {
        return event.payload().keySet().stream().map(field -> "`" + field + "`").collect(Collectors.joining(", "));
    }
}
