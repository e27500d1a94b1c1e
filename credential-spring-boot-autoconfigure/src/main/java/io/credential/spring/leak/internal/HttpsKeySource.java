package io.credential.spring.leak.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Fetches public keys over HTTPS, within limits of time and size. Thread-safe.
 *
 * <p>The HTTP client of the webhook dispatcher may be absent, and its rules for destinations guard against the URLs of customers;
 * this URL is the operator's. {@code HttpURLConnection} needs no threads; those of {@code java.net.http.HttpClient} cannot be
 * stopped before Java 21.
 */
public final class HttpsKeySource implements PublishedKeys.Source {

    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int MAX_BYTES = 256 * 1024;

    private final URI url;
    private final Duration limit;

    /**
     * @param url begins with {@code https:} except in tests
     * @param limit how long a response may take; a single read takes three seconds at most
     */
    public HttpsKeySource(URI url, Duration limit) {
        this.url = url;
        this.limit = limit;
    }

    @Override
    public Optional<PublishedKeys.Fetched> fetch(@Nullable String etag) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
        // On a thread of the JDK: a host that sends a byte from time to time would otherwise keep this one.
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                connection::disconnect, CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS));
        try {
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestProperty("Accept", "application/json");
            connection.setRequestProperty("Connection", "close"); // or the JDK would keep it, with a thread
            connection.setRequestProperty("User-Agent", "credential"); // GitHub rejects requests without one
            if (etag != null) {
                connection.setRequestProperty("If-None-Match", etag);
            }
            int status = connection.getResponseCode();
            if (status == HttpURLConnection.HTTP_NOT_MODIFIED && etag != null) {
                return Optional.empty();
            }
            if (status != HttpURLConnection.HTTP_OK) {
                throw new IOException("The response has the status " + status);
            }
            try (InputStream body = connection.getInputStream()) {
                return Optional.of(
                        new PublishedKeys.Fetched(ReportJson.readKeys(read(body)), connection.getHeaderField("ETag")));
            } catch (MalformedReportException e) {
                throw new IOException("The response does not contain public keys: " + e.getMessage(), e);
            }
        } finally {
            end.cancel(false);
            connection.disconnect();
        }
    }

    private static byte[] read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new IOException("The response is longer than " + MAX_BYTES + " bytes");
        }
        return bytes;
    }
}
