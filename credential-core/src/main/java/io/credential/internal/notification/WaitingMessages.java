package io.credential.internal.notification;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The messages to be sent, each once, up to a limit. Beyond it, one message stands for everything of its topic. Not
 * thread-safe.
 */
final class WaitingMessages {

    /** The most characters that messages take in one payload; PostgreSQL rejects 8000 bytes, and the sender is named. */
    static final int MAX_CHARACTERS = 7900;

    static final int MAX_COUNT = 1000;

    private final Set<Message> waiting = new LinkedHashSet<>();

    void add(Message message) {
        Message everything = Message.everythingOf(message.topic());
        if (waiting.contains(everything)) {
            return;
        }
        if (message.isEverything() || (waiting.size() >= MAX_COUNT && !waiting.contains(message))) {
            waiting.removeIf(other -> other.topic().equals(message.topic()));
            waiting.add(everything);
        } else {
            waiting.add(message);
        }
    }

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Removes and returns as many as one payload can hold. */
    List<Message> take() {
        List<Message> taken = new ArrayList<>();
        int characters = 0;
        for (Iterator<Message> each = waiting.iterator(); each.hasNext(); ) {
            Message next = each.next();
            characters += next.toString().length() + 1;
            if (characters > MAX_CHARACTERS) {
                break;
            }
            taken.add(next);
            each.remove();
        }
        return taken;
    }
}
