package io.credential.benchmarks.takeover;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;
import java.util.stream.Collectors;

import io.credential.benchmarks.node.DatabaseProxy;
import io.credential.benchmarks.node.NodeGroup;
import io.credential.benchmarks.node.NodeKeys;
import io.credential.benchmarks.node.NodeProcess;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * Three {@linkplain DispatcherNode nodes} in their own JVMs that attempt what this process stores. In each round, one of
 * them fails while all have taken as many deliveries as they can, and receivers have not answered any yet. From then on,
 * each attempt is answered after a second. Not thread-safe.
 */
public final class TakeoverCluster implements Closeable {

    private static final int ENDPOINTS = 20;
    private static final Duration ANSWER_AFTER = Duration.ofSeconds(1);

    /** Longer than the poll interval, so that every node has looked for deliveries. */
    private static final Duration UNCHANGED = Duration.ofMillis(1500);

    /** Less than the default {@code request-timeout}, so that no attempt times out because its answer is held back. */
    private static final Duration LONGEST_HOLD = Duration.ofSeconds(8);

    /** For what happens sooner unless something is broken. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static final long POLL_MILLIS = 20;

    private static final String FIND_CLAIMS = """
            select delivery_id, claim_owner from _credential_webhook_deliveries
            where delivered_at is null and dead_at is null and status = 'in-flight'""";

    private static final String FIND_OPEN = """
            select 1 from _credential_webhook_deliveries
            where delivered_at is null and dead_at is null order by endpoint_id, next_attempt_at limit 1""";

    private static final String FIND_DELIVERED =
            "select delivery_id from _credential_webhook_deliveries where delivered_at is not null";

    private final CredentialDatabase database;
    private final HoldingReceiver receiver;
    private final JdbcWebhookDispatcher dispatcher;
    private final NodeGroup group;
    private long longestPause;

    private TakeoverCluster(CredentialDatabase database, String jdbcUrl, List<String> keys) throws IOException {
        this.database = database;
        this.receiver = new HoldingReceiver(ANSWER_AFTER);
        this.dispatcher = JdbcWebhookDispatcher.builder(database, NodeKeys.keyring(keys.get(0), keys.get(1)))
                .destinationPolicy(DispatcherNode.policy())
                .build();
        dispatcher.declareSchema();
        for (int endpoint = 0; endpoint < ENDPOINTS; endpoint++) {
            dispatcher.registerEndpoint(EndpointRegistration.of(
                    "endpoint-" + endpoint, receiver.url(endpoint), "a secret of the benchmark", "event-" + endpoint));
        }
        this.group = startNodes(jdbcUrl, keys);
    }

    private NodeGroup startNodes(String jdbcUrl, List<String> keys) throws IOException {
        try {
            return NodeGroup.start(DispatcherNode.class, keys, () -> new DatabaseProxy(jdbcUrl), "credential-takeover");
        } catch (IOException | RuntimeException e) {
            dispatcher.close();
            receiver.close();
            throw e;
        }
    }

    /**
     * Starts the nodes.
     *
     * @param database an empty one on this machine
     * @param jdbcUrl leads to the same database, through a proxy for each node
     */
    public static TakeoverCluster start(CredentialDatabase database, String jdbcUrl) throws IOException {
        TakeoverCluster cluster = new TakeoverCluster(database, jdbcUrl, NodeKeys.generate());
        System.out.println("The nodes log to " + cluster.group.logs());
        return cluster;
    }

    /** Attempts deliveries on all nodes, so that they know that the endpoints answer. */
    public void warmUp(int deliveries) throws TimeoutException, InterruptedException {
        var unused = store(deliveries);
        awaitSettled();
    }

    /** Kills the node with the most claims as {@code kill -9} does, and starts it again after the round. */
    public Takeover kill(int deliveries) throws IOException, TimeoutException, InterruptedException {
        Round round = begin(deliveries);
        round.failed().kill();
        long failedAt = System.nanoTime();
        Set<String> stranded = claimsOf(round.owner());
        receiver.release();
        awaitSettled();
        round.failed().start();
        return takeover(round, stranded, failedAt);
    }

    /**
     * Passes nothing on between the node with the most claims and the database, for at least some time and until all
     * deliveries are settled. Then stores more than the other nodes can take, and passes bytes on again.
     *
     * @param least how long at least
     * @param recoveredSeconds gets the time from then until the node attempts one of the new deliveries
     */
    public Takeover stall(int deliveries, Duration least, DoubleConsumer recoveredSeconds)
            throws TimeoutException, InterruptedException {
        Round round = begin(deliveries);
        round.failed().proxy().stall();
        long failedAt = System.nanoTime();
        Set<String> stranded = claimsOf(round.owner());
        receiver.release();
        awaitSettled();
        await("end of the stall", () -> System.nanoTime() - failedAt > least.toNanos());
        receiver.hold();
        round.deliveryIds().addAll(store(deliveries));
        var unused = awaitClaims();
        long resumedAt = System.nanoTime();
        round.failed().proxy().resume();
        recoveredSeconds.accept((awaitAttempt(round, stranded, resumedAt) - resumedAt) / 1e9);
        awaitSettled();
        return takeover(round, stranded, failedAt);
    }

    /**
     * Returns the longest time between two questions of this process to the database in the last round. A node that is kept
     * from the database for more than four seconds observes the others from the beginning, and takes over later.
     */
    public double longestPauseSeconds() {
        return longestPause / 1e9;
    }

    private Takeover takeover(Round round, Set<String> stranded, long failedAt) {
        Set<String> delivered = new HashSet<>(
                database.jdbc().sql(FIND_DELIVERED).query(String.class).list());
        return Takeover.of(round.deliveryIds(), delivered, stranded, round.failedName(), failedAt, receiver.arrivals());
    }

    /**
     * @param failed the node that will fail
     * @param failedName the name of its process
     * @param owner under which it has claimed
     */
    private record Round(Set<String> deliveryIds, NodeProcess failed, String failedName, String owner) {}

    private Round begin(int deliveries) throws TimeoutException, InterruptedException {
        longestPause = 0;
        receiver.forget();
        receiver.hold();
        Set<String> deliveryIds = store(deliveries);
        Map<String, String> claims = awaitClaims();
        Map<String, Long> counts =
                claims.values().stream().collect(Collectors.groupingBy(owner -> owner, Collectors.counting()));
        String owner =
                Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
        String name = awaitNodeOf(owner, claims);
        NodeProcess failed = group.nodes().stream()
                .filter(node -> node.running() != null && node.running().name().equals(name))
                .findAny()
                .orElseThrow();
        return new Round(deliveryIds, failed, name, owner);
    }

    private String awaitNodeOf(String owner, Map<String, String> claims) throws TimeoutException, InterruptedException {
        AtomicReference<String> node = new AtomicReference<>("");
        await("attempts of " + owner, () -> {
            receiver.arrivals().stream()
                    .filter(arrival -> owner.equals(claims.get(arrival.deliveryId())))
                    .findAny()
                    .ifPresent(arrival -> node.set(arrival.node()));
            return !node.get().isEmpty();
        });
        return node.get();
    }

    /** In one transaction, so that all are due at the same time. */
    private Set<String> store(int deliveries) {
        return database.inTransaction(() -> {
            Set<String> ids = new HashSet<>();
            for (int number = 0; number < deliveries; number++) {
                dispatcher
                        .enqueue("event-" + number % ENDPOINTS, "{}")
                        .deliveries()
                        .forEach(delivery -> ids.add(delivery.deliveryId()));
            }
            return ids;
        });
    }

    /** Returns the owners of all claimed deliveries, by delivery, once no node claims any more. */
    private Map<String, String> awaitClaims() throws TimeoutException, InterruptedException {
        AtomicReference<Map<String, String>> last = new AtomicReference<>(claims());
        AtomicLong changedAt = new AtomicLong(System.nanoTime());
        await("claims", () -> {
            Map<String, String> claims = claims();
            if (claims.isEmpty() || !claims.equals(last.getAndSet(claims))) {
                changedAt.set(System.nanoTime());
            }
            return System.nanoTime() - changedAt.get() > UNCHANGED.toNanos();
        });
        return last.get();
    }

    /** The owners of all claimed deliveries, by delivery. */
    private Map<String, String> claims() {
        Map<String, String> claims = new HashMap<>();
        database.jdbc().sql(FIND_CLAIMS).query(row -> {
            claims.put(row.getString("delivery_id"), row.getString("claim_owner"));
        });
        return claims;
    }

    private Set<String> claimsOf(String owner) {
        Set<String> deliveryIds = new HashSet<>();
        claims().forEach((deliveryId, claimedBy) -> {
            if (claimedBy.equals(owner)) {
                deliveryIds.add(deliveryId);
            }
        });
        return deliveryIds;
    }

    /** Returns when the failed node attempted a delivery that it had not claimed before. */
    private long awaitAttempt(Round round, Set<String> stranded, long since)
            throws TimeoutException, InterruptedException {
        AtomicLong attemptedAt = new AtomicLong();
        await("attempt of the node that failed", () -> {
            if (System.nanoTime() - since > LONGEST_HOLD.toNanos()) {
                receiver.release();
            }
            if (isSettled()) {
                round.deliveryIds().addAll(store(ENDPOINTS));
            }
            receiver.arrivals().stream()
                    .filter(arrival -> arrival.node().equals(round.failedName())
                            && arrival.at() - since > 0
                            && !stranded.contains(arrival.deliveryId()))
                    .findFirst()
                    .ifPresent(arrival -> attemptedAt.set(arrival.at()));
            return attemptedAt.get() != 0;
        });
        receiver.release();
        return attemptedAt.get();
    }

    private void awaitSettled() throws TimeoutException, InterruptedException {
        await("outcomes", this::isSettled);
    }

    private boolean isSettled() {
        return database.jdbc().sql(FIND_OPEN).query(Integer.class).list().isEmpty();
    }

    private void await(String what, BooleanSupplier condition) throws TimeoutException, InterruptedException {
        long begun = System.nanoTime();
        for (long asked = begun; !condition.getAsBoolean(); asked = System.nanoTime()) {
            if (asked - begun > LIMIT.toNanos()) {
                throw new TimeoutException("There are no " + what + " after " + LIMIT);
            }
            Thread.sleep(POLL_MILLIS);
            longestPause = Math.max(longestPause, System.nanoTime() - asked);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            group.close();
        } finally {
            dispatcher.close();
            receiver.close();
        }
    }
}
