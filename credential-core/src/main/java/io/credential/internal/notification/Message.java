package io.credential.internal.notification;

import java.util.regex.Pattern;

/**
 * A message, and how it is written in a payload.
 *
 * @param text empty for everything of the topic
 */
record Message(String topic, String text) {

    private static final Pattern TOPIC = Pattern.compile("[a-z][a-z-]{0,62}");
    private static final Pattern TEXT = Pattern.compile("[!-~]{1,200}");

    /** @throws IllegalArgumentException if the topic or the text is invalid */
    static Message of(String topic, String text) {
        if (!TEXT.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "The text of a notification must have 1 to 200 visible ASCII characters and no spaces");
        }
        return new Message(requireTopic(topic), text);
    }

    static Message everythingOf(String topic) {
        return new Message(topic, "");
    }

    /** @throws IllegalArgumentException if the topic is invalid */
    static String requireTopic(String topic) {
        if (!TOPIC.matcher(topic).matches()) {
            throw new IllegalArgumentException(
                    "The topic of a notification must have 1 to 63 lower-case letters and hyphens, but is '" + topic
                            + "'");
        }
        return topic;
    }

    static Message parse(String line) {
        int space = line.indexOf(' ');
        return space < 0 ? everythingOf(line) : new Message(line.substring(0, space), line.substring(space + 1));
    }

    boolean isEverything() {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return isEverything() ? topic : topic + " " + text;
    }
}
