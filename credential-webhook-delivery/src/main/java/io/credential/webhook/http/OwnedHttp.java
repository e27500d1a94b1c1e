package io.credential.webhook.http;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.internal.HttpWebhookTransport;

/** The HTTP access of a sender: what it was given, or else its own, which is created on first use. Thread-safe. */
final class OwnedHttp implements AutoCloseable {

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

    private final @Nullable SendHttp given;

    private @Nullable Own own;

    private boolean closed;

    OwnedHttp(@Nullable SendHttp given) {
        this.given = given;
    }

    /**
     * @throws IllegalStateException if the sender is closed
     */
    synchronized SendHttp get() {
        if (given != null) {
            return given;
        }
        if (closed) {
            throw new IllegalStateException("The sender is closed");
        }
        if (own == null) {
            own = Own.make();
        }
        return new SendHttp(own.vetter, own.transport, REQUEST_TIMEOUT);
    }

    @Override
    public void close() {
        Own open;
        synchronized (this) {
            closed = true;
            open = own;
            own = null;
        }
        if (open != null) {
            open.vetter.close();
            open.transport.close();
        }
    }

    private record Own(DestinationVetter vetter, HttpWebhookTransport transport) {

        static Own make() {
            return new Own(
                    new DestinationVetter(DestinationPolicy.builder().build(), HostResolver.system()),
                    HttpWebhookTransport.builder().build());
        }
    }
}
