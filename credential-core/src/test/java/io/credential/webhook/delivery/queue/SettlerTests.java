package io.credential.webhook.delivery.queue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SettlerTests {

    private final AtomicReference<Thread> storing = new AtomicReference<>();
    private boolean deadly = true;

    @Test
    void settleWhenStoringThreadDiedThenStoresAgain() throws Exception {
        Settler settler = new Settler(new StoringQueue(), 60_000);

        CompletableFuture<Boolean> lost = settler.settle(outcome("a"));
        assertThat(lost.get()).isFalse();
        storing.get().join();
        deadly = false;

        assertThat(settler.settle(outcome("b")).get()).isTrue();
        settler.close();
    }

    private static Settlement outcome(String deliveryId) {
        Claim claim = new Claim(1, "owner", 0, 0);
        return Settlement.released(new ClaimedDelivery(
                deliveryId, "event", "endpoint", "e", 1, 0, 0, 0, claim, null, null, 0, Payload.stored(new byte[0])));
    }

    /** Like an exhausted heap, which lets nothing be logged either. */
    private static final class Unloggable extends Error {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw this;
        }
    }

    private final class StoringQueue implements DeliveryQueue {

        @Override
        public Set<String> settle(List<Settlement> settlements) {
            storing.set(Thread.currentThread());
            if (deadly) {
                throw new Unloggable();
            }
            return Set.of(settlements.get(0).claimed().deliveryId());
        }

        @Override
        public Set<String> settledBefore(List<Settlement> settlements) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OpenDeliveries look(long until) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ClaimedDelivery> claim(List<Turn> turns, Claim claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ClaimedDelivery> claimSuspect(Claim claim) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ClaimedDelivery> claimOne(SeenDelivery seen, Claim claim) {
            throw new UnsupportedOperationException();
        }
    }
}
