package io.credential.spring.webhook.internal;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts the requests of each sender since the application started: those that were accepted, and those that were rejected,
 * by the code of the error. Bounded, because codes are constants. Thread-safe.
 */
public final class VerificationCounts {

    private final Map<String, Count> senders;

    VerificationCounts(Collection<InboundWebhook> webhooks) {
        this.senders = webhooks.stream()
                .collect(Collectors.toUnmodifiableMap(
                        InboundWebhook::name, webhook -> new Count(new LongAdder(), new ConcurrentHashMap<>())));
    }

    /**
     * The numbers of one sender.
     *
     * @param accepted how many were verified; if the webhooks of the sender are stored first, only those that were stored
     * @param rejected how many were rejected, by code
     */
    public record Numbers(long accepted, Map<String, Long> rejected) {}

    private record Count(LongAdder accepted, Map<String, LongAdder> rejected) {

        Numbers numbers() {
            return new Numbers(
                    accepted.sum(),
                    rejected.entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey, code -> code.getValue().sum(), Long::sum, TreeMap::new)));
        }
    }

    /** Returns the numbers by the name of the sender. */
    public Map<String, Numbers> bySender() {
        return senders.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, sender -> sender.getValue().numbers()));
    }

    void accepted(InboundWebhook webhook) {
        count(webhook).accepted.increment();
    }

    void rejected(InboundWebhook webhook, String code) {
        count(webhook).rejected.computeIfAbsent(code, absent -> new LongAdder()).increment();
    }

    private Count count(InboundWebhook webhook) {
        return Objects.requireNonNull(senders.get(webhook.name()));
    }
}
