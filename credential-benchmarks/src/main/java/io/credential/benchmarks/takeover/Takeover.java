package io.credential.benchmarks.takeover;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.benchmarks.takeover.HoldingReceiver.Arrival;

/**
 * What happened to the deliveries of one round.
 *
 * @param stranded how many deliveries the failed node had claimed and not settled
 * @param started how many of them it had begun to attempt, before or after the failure
 * @param firstSeconds from the failure until another node attempted one of them
 * @param lastSeconds from the failure until other nodes had attempted all of them
 * @param repeated how many deliveries of the round were received more than once
 * @param unexplained how many of the repeated ones the failed node had not begun to attempt, or were received more than twice
 * @param lost how many deliveries of the round were not received, or not settled as delivered
 */
public record Takeover(
        int stranded, int started, double firstSeconds, double lastSeconds, int repeated, int unexplained, int lost) {

    /**
     * Evaluates a round.
     *
     * @param deliveryIds all deliveries of the round
     * @param delivered those that are settled as delivered
     * @param stranded those that the failed node had claimed and not settled
     * @param failedAt by {@link System#nanoTime}
     * @throws IllegalStateException if no other node has attempted one of the stranded deliveries
     */
    static Takeover of(
            Set<String> deliveryIds,
            Set<String> delivered,
            Set<String> stranded,
            String failedNode,
            long failedAt,
            List<Arrival> arrivals) {
        Map<String, Integer> counts = new HashMap<>();
        Map<String, Long> takenOverAt = new HashMap<>();
        Set<String> started = new HashSet<>();
        for (Arrival arrival : arrivals) {
            String deliveryId = arrival.deliveryId();
            counts.merge(deliveryId, 1, Integer::sum);
            if (stranded.contains(deliveryId)) {
                if (arrival.node().equals(failedNode)) {
                    started.add(deliveryId);
                } else {
                    takenOverAt.merge(deliveryId, arrival.at(), Math::min);
                }
            }
        }
        if (takenOverAt.size() < stranded.size()) {
            throw new IllegalStateException(
                    "Only " + takenOverAt.size() + " of " + stranded.size() + " stranded deliveries were taken over");
        }
        List<Map.Entry<String, Integer>> repeated =
                counts.entrySet().stream().filter(count -> count.getValue() > 1).toList();
        return new Takeover(
                stranded.size(),
                started.size(),
                seconds(takenOverAt.values().stream().min(Long::compare).orElseThrow() - failedAt),
                seconds(takenOverAt.values().stream().max(Long::compare).orElseThrow() - failedAt),
                repeated.size(),
                (int) repeated.stream()
                        .filter(count -> count.getValue() > 2 || !started.contains(count.getKey()))
                        .count(),
                (int) deliveryIds.stream()
                        .filter(id -> !counts.containsKey(id) || !delivered.contains(id))
                        .count());
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
