package io.credential.internal.notification;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one NOTIFY carries: the sender and its messages, one in each line.
 *
 * @param sender names an incarnation of a node
 */
record Payload(String sender, List<Message> messages) {

    Payload {
        messages = List.copyOf(messages);
    }

    static Payload parse(String text) {
        String[] lines = text.split("\n");
        return new Payload(
                lines.length == 0 ? "" : lines[0],
                Arrays.stream(lines).skip(1).map(Message::parse).toList());
    }

    @Override
    public String toString() {
        return Stream.concat(Stream.of(sender), messages.stream().map(Message::toString))
                .collect(Collectors.joining("\n"));
    }
}
