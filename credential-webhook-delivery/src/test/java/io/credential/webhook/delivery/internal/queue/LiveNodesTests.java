package io.credential.webhook.delivery.internal.queue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class LiveNodesTests {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger changes = new AtomicInteger();
    private final LiveNodes nodes = new LiveNodes(nanos::get, changes::incrementAndGet);

    @Test
    void shareWhenAloneThenTheWhole() {
        assertThat(nodes.share("shop", 5)).isEqualTo(5);

        nodes.joined("b", nodes("b"));
        nodes.seen("b", nodes("b"));

        assertThat(nodes.share("shop", 5)).isEqualTo(5);
        assertThat(changes).hasValue(0);
    }

    @Test
    void shareWhenSeveralThenSharesAddUp() {
        List<String> names = List.of("a", "b", "c");
        for (int whole : List.of(1, 2, 3, 100)) {
            for (String endpointId : List.of("shop", "other", "x")) {
                int sum = 0;
                for (String name : names) {
                    sum += settled(name, names).share(endpointId, whole);
                }
                assertThat(sum).isEqualTo(whole);
            }
        }
    }

    @Test
    void shareWhenOneOfManyThenSpreadByEndpoint() {
        LiveNodes node = settled("a", List.of("a", "b", "c"));
        List<Integer> shares = new ArrayList<>();
        for (String endpointId : List.of("a", "b", "c")) {
            shares.add(node.share(endpointId, 1));
        }

        assertThat(shares).containsExactlyInAnyOrder(1, 0, 0);
    }

    @Test
    void joinedWhenOthersAreThereThenNoShareUntilTheyNotice() {
        nodes.joined("b", nodes("a", "b"));
        nodes.seen("b", nodes("a", "b"));
        assertThat(nodes.share("shop", 10)).isZero();

        nanos.addAndGet(LiveNodes.SETTLING.toNanos());
        nodes.seen("b", nodes("a", "b"));

        assertThat(nodes.share("shop", 10)).isEqualTo(5);
        assertThat(changes).hasValue(1);
    }

    @Test
    void joinedWhenTheOthersLeaveThenTheWhole() {
        nodes.joined("b", nodes("a", "b"));

        nodes.seen("b", nodes("b"));

        assertThat(nodes.share("shop", 10)).isEqualTo(10);
    }

    @Test
    void seenWhenAnotherJoinsThenShareIsReducedAtOnce() {
        nodes.joined("a", nodes("a"));

        nodes.seen("a", nodes("a", "b"));

        assertThat(nodes.share("shop", 10)).isEqualTo(5);
        assertThat(changes).hasValue(1);
    }

    @Test
    void shareWhenOneOnlyStoresThenTheOthersHaveItAll() {
        Map<String, NodeLeases.Node> all = nodes("a", "b");
        all.put("a", new NodeLeases.Node(1, false));

        assertThat(settled("a", all).share("shop", 10)).isZero();
        assertThat(settled("b", all).share("shop", 10)).isEqualTo(10);
    }

    @Test
    void awaitShareWhenItHasOneThenDoesNotWait() {
        nodes.joined("b", nodes("b"));

        assertThat(nodes.awaitShare()).isFalse();
    }

    @Test
    void awaitShareWhenTheNodeLeavesThenEnds() throws ExecutionException {
        nodes.joined("b", nodes("a", "b"));
        CompletableFuture<Boolean> share = awaitingShare();

        nodes.left();

        assertThat(Patience.get(share)).isFalse();
    }

    @Test
    void awaitShareWhenOthersHaveNoticedThenHasOne() throws ExecutionException {
        nodes.joined("b", nodes("a", "b"));
        CompletableFuture<Boolean> share = awaitingShare();
        nanos.addAndGet(LiveNodes.SETTLING.toNanos());

        nodes.seen("b", nodes("a", "b"));

        assertThat(Patience.get(share)).isTrue();
    }

    private CompletableFuture<Boolean> awaitingShare() {
        CompletableFuture<Boolean> share = new CompletableFuture<>();
        Thread waiting = new Thread(() -> share.complete(nodes.awaitShare()), "await-share");
        waiting.start();
        Patience.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        return share;
    }

    @Test
    void seenWhenUnderAnEarlierLeaseThenIgnored() {
        nodes.joined("b", nodes("b"));

        nodes.seen("a", nodes("a", "b"));

        assertThat(nodes.share("shop", 10)).isEqualTo(10);
    }

    private static LiveNodes settled(String name, List<String> all) {
        return settled(name, nodes(all.toArray(String[]::new)));
    }

    private static LiveNodes settled(String name, Map<String, NodeLeases.Node> all) {
        LiveNodes node = new LiveNodes(() -> 0, () -> {});
        node.joined(name, nodes(name));
        node.seen(name, all);
        return node;
    }

    private static Map<String, NodeLeases.Node> nodes(String... names) {
        Map<String, NodeLeases.Node> nodes = new HashMap<>();
        for (String name : names) {
            nodes.put(name, new NodeLeases.Node(1, true));
        }
        return nodes;
    }
}
