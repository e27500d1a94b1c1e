package io.credential.webhook.http.internal;

import java.time.Duration;

import io.credential.testing.Patience;

/** A transport that is open for one test. Closing it waits for no request. */
final class OpenTransport implements AutoCloseable {

    /** The timeout of a request that is to time out. */
    static final Duration SHORT = Duration.ofMillis(1500);

    final HttpWebhookTransport transport =
            HttpWebhookTransport.builder().connectTimeout(Patience.LIMIT).build();

    @Override
    public void close() {
        transport.close(Duration.ZERO);
    }
}
