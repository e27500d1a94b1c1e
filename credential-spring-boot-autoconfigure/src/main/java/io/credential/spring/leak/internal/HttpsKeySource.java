package io.credential.spring.leak.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongSupplier;

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
    private static final long MAX_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int MAX_BYTES = 256 * 1024;

    private final URI url;
    private final LongSupplier nanoTime;

    /** @param url begins with {@code https:} except in tests */
    public HttpsKeySource(URI url, LongSupplier nanoTime) {
        this.url = url;
        this.nanoTime = nanoTime;
    }

    @Override
    public Optional<PublishedKeys.Fetched> fetch(@Nullable String etag) throws IOException {
        long deadline = nanoTime.getAsLong() + MAX_NANOS;
        HttpURLConnection connection = (HttpURLConnection) url.toURL().openConnection();
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
                return Optional.of(new PublishedKeys.Fetched(
                        ReportJson.readKeys(read(body, deadline)), connection.getHeaderField("ETag")));
            } catch (MalformedReportException e) {
                throw new IOException("The response does not contain public keys: " + e.getMessage(), e);
            }
        } finally {
            connection.disconnect();
        }
    }

    /** A single read takes as long as the timeout at most. */
    private byte[] read(InputStream body, long deadline) throws IOException {
        byte[] buffer = new byte[MAX_BYTES + 1];
        int length = 0;
        int count = body.read(buffer);
        while (count >= 0) {
            length += count;
            if (length > MAX_BYTES) {
                throw new IOException("The response is longer than " + MAX_BYTES + " bytes");
            }
            if (nanoTime.getAsLong() - deadline > 0) {
                throw new IOException("The response took longer than 5 seconds");
            }
            count = body.read(buffer, length, buffer.length - length);
        }
        return Arrays.copyOf(buffer, length);
    }
}
