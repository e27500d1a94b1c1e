package io.credential.spring.operations.internal;

import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;

import io.credential.spring.webhook.internal.VerificationCounts;
import io.credential.spring.webhook.internal.VerificationCounts.Numbers;

/** Shows the senders of incoming webhooks, and what became of their requests on this node. Thread-safe. */
public final class InboundOperations {

    /** Where counting of nonces stops. */
    public static final int MAX_NONCES = 10_000;

    private static final Numbers NONE = new Numbers(0, Map.of());

    private final List<ConfiguredSender> senders;
    private final Supplier<@Nullable VerificationCounts> counts;
    private final @Nullable IntUnaryOperator storedNonces;

    /**
     * @param senders in the order in which they are shown
     * @param counts returns null if no filter protects the paths, because this is not a servlet application
     * @param storedNonces counts the nonces in the database up to a limit; null if none are stored there
     */
    public InboundOperations(
            List<ConfiguredSender> senders,
            Supplier<@Nullable VerificationCounts> counts,
            @Nullable IntUnaryOperator storedNonces) {
        this.senders = List.copyOf(senders);
        this.counts = counts;
        this.storedNonces = storedNonces;
    }

    /**
     * A configured sender.
     *
     * @param scheme the format or algorithm of its signatures
     * @param nonceStore the kind of its nonce store: {@code none}, {@code memory}, {@code jdbc} or {@code redis}
     * @param storesFirst whether its webhooks are stored in the inbox
     */
    public record ConfiguredSender(
            String name, List<String> paths, String scheme, String nonceStore, boolean storesFirst) {}

    /**
     * A sender with the numbers of its requests.
     *
     * @param accepted how many were accepted since this node started
     * @param rejected how many were rejected since then, by the code of the error
     */
    public record SenderActivity(ConfiguredSender sender, long accepted, Map<String, Long> rejected) {}

    /** Returns the senders; reads nothing from the database. */
    public List<SenderActivity> senders() {
        VerificationCounts counted = counts.get();
        Map<String, Numbers> numbers = counted == null ? Map.of() : counted.bySender();
        return senders.stream()
                .map(sender -> activity(sender, numbers.getOrDefault(sender.name(), NONE)))
                .toList();
    }

    private static SenderActivity activity(ConfiguredSender sender, Numbers numbers) {
        return new SenderActivity(sender, numbers.accepted(), numbers.rejected());
    }

    /**
     * Returns how many nonces are stored in the database, at most {@value #MAX_NONCES}; null if no sender uses it. Takes one
     * statement.
     *
     * @throws DataAccessException if the database does not answer
     */
    public @Nullable Integer storedNonces() {
        return storedNonces == null ? null : storedNonces.applyAsInt(MAX_NONCES);
    }
}
