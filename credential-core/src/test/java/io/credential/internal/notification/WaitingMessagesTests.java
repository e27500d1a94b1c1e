package io.credential.internal.notification;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class WaitingMessagesTests {

    private final WaitingMessages waiting = new WaitingMessages();

    @Test
    void takeWhenMessagesAreEqualThenEachOnce() {
        waiting.add(Message.of("keys", "live/1"));
        waiting.add(Message.of("leader", "released"));
        waiting.add(Message.of("keys", "live/1"));

        assertThat(waiting.take()).containsExactly(Message.of("keys", "live/1"), Message.of("leader", "released"));
        assertThat(waiting.isEmpty()).isTrue();
        assertThat(waiting.take()).isEmpty();
    }

    @Test
    void takeWhenThereAreManyThenAsManyAsAPayloadHolds() {
        List<Message> all = IntStream.range(0, 500)
                .mapToObj(i -> Message.of("keys", i + "/" + "x".repeat(40)))
                .toList();
        all.forEach(waiting::add);

        List<Message> taken = new ArrayList<>();
        while (!waiting.isEmpty()) {
            List<Message> next = waiting.take();
            assertThat(new Payload("0123456789abcdef", next).toString().length())
                    .isBetween(1, 7999);
            taken.addAll(next);
        }
        assertThat(taken).containsExactlyElementsOf(all);
    }

    @Test
    void addWhenTooManyWaitThenEverythingOfTheTopic() {
        waiting.add(Message.of("leader", "released"));
        for (int i = 1; i < WaitingMessages.MAX_COUNT; i++) {
            waiting.add(Message.of("keys", "k" + i));
        }
        waiting.add(Message.of("keys", "k1"));
        assertThat(waiting.take()).as("a repeated message needs no room").contains(Message.of("keys", "k2"));
        fill("keys");
        waiting.add(Message.of("keys", "late"));

        assertThat(waiting.take())
                .contains(Message.everythingOf("keys"))
                .noneMatch(m -> m.text().startsWith("k"));
    }

    @Test
    void addWhenEverythingWaitsThenNothingMore() {
        waiting.add(Message.everythingOf("keys"));
        waiting.add(Message.of("keys", "k1"));

        assertThat(waiting.take()).containsExactly(Message.everythingOf("keys"));
    }

    @Test
    void parseThenIsWhatWasWritten() {
        Payload payload =
                new Payload("node", List.of(Message.of("keys", "live/0123abcd"), Message.everythingOf("leader")));

        assertThat(Payload.parse(payload.toString())).isEqualTo(payload);
        assertThat(Payload.parse("")).isEqualTo(new Payload("", List.of()));
        assertThat(Payload.parse("\n\n").messages()).isEmpty();
    }

    @Test
    void messageWhenTextOrTopicIsInvalidThenRejected() {
        for (String text : List.of("", "a b", "a\nb", "\u00e4", "x".repeat(201))) {
            assertThatIllegalArgumentException().isThrownBy(() -> Message.of("keys", text));
        }
        for (String topic : List.of("", "Keys", "a b", "-", "x".repeat(64))) {
            assertThatIllegalArgumentException().isThrownBy(() -> Message.of(topic, "text"));
        }
    }

    private void fill(String topic) {
        for (int i = 0; i < WaitingMessages.MAX_COUNT; i++) {
            waiting.add(Message.of(topic, "k" + i));
        }
    }
}
