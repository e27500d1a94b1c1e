package io.credential.webhook.http;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

class HostLookupsTests {

    @Test
    void aNameForWhichNoThreadCouldBeHadIsLookedUpTheNextTime() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        ThreadFactory threads = task -> {
            if (exhausted.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        };
        InetAddress address = InetAddress.getLoopbackAddress();
        try (HostLookups lookups = new HostLookups(host -> List.of(address), 1, 1, threads)) {
            assertThat(lookups.lookUp("partner.example").answer()).isCompletedExceptionally();
            exhausted.set(false);

            assertThat(Patience.get(lookups.lookUp("partner.example").answer())).containsExactly(address);
        }
    }
}
