package io.credential.webhook.delivery.internal.endpoint;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.queue.Claim;
import io.credential.webhook.delivery.internal.queue.ClaimedDelivery;
import io.credential.webhook.delivery.internal.queue.SecretCells;
import io.credential.webhook.delivery.internal.queue.Subscriber;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointDirectoryTests {

    private static final Subscriber CLAIMED = subscriber("https://claimed.example");
    private static final Subscriber STORED = subscriber("https://stored.example");

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private @Nullable Subscriber stored = STORED;

    private final EndpointDirectory directory = new EndpointDirectory(
            endpointId -> {
                reads.incrementAndGet();
                return stored;
            },
            nanos::get);

    @Test
    void currentWhenJustClaimedThenAsItCameWithTheClaim() {
        ClaimedDelivery delivery = delivery();
        passMillis(499);

        assertThat(directory.current(delivery).subscriber()).isEqualTo(CLAIMED);
        assertThat(reads).hasValue(0);
    }

    @Test
    void currentWhenHalfASecondOldThenReadAgainOnceForAll() {
        ClaimedDelivery one = delivery();
        ClaimedDelivery another = delivery();
        passMillis(500);

        assertThat(directory.current(one).subscriber()).isEqualTo(STORED);
        passMillis(499);
        assertThat(directory.current(another).subscriber()).isEqualTo(STORED);
        assertThat(reads).hasValue(1);
        passMillis(1);
        directory.current(one);
        assertThat(reads).hasValue(2);
    }

    @Test
    void currentWhenChangedByThisNodeThenReadAgainAtOnce() {
        ClaimedDelivery delivery = delivery();
        passMillis(1);
        stored = null;
        directory.changed("shop");

        EndpointDirectory.Entry entry = directory.current(delivery);
        assertThat(entry.subscriber()).isNull();
        assertThat(directory.isCurrent("shop", entry))
                .as("read in the same instant")
                .isFalse();
        passMillis(1);
        assertThat(directory.isCurrent("shop", directory.current(delivery))).isTrue();
    }

    @Test
    void currentWhenAnotherEndpointChangedThenUnchanged() {
        ClaimedDelivery delivery = delivery();
        passMillis(1);
        directory.changed("another");

        assertThat(directory.current(delivery).subscriber()).isEqualTo(CLAIMED);
    }

    private void passMillis(long millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private ClaimedDelivery delivery() {
        return new ClaimedDelivery(
                "delivery",
                "event",
                "shop",
                "e",
                1,
                0,
                0,
                0,
                new Claim(1, "owner", 0, nanos.get()),
                false,
                null,
                CLAIMED,
                0,
                null,
                null);
    }

    private static Subscriber subscriber(String url) {
        return new Subscriber(
                url,
                SecretCells.of(SignatureScheme.CREDENTIAL, null, "cell"),
                null,
                null,
                PayloadFormat.RAW,
                1,
                false,
                false,
                null);
    }
}
