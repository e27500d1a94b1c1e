package io.credential.webhook.http.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.WebhookResponse;

/**
 * Keeps the start of a response and reads a little more, so that the connection can be reused. If the body is longer,
 * the response is complete as it is, and the connection is closed.
 */
final class BoundedResponse implements AsyncResponseConsumer<WebhookResponse> {

    static final int KEPT_BYTES = 2048;
    static final int READ_BYTES = 16 * 1024;

    private final Consumer<WebhookResponse> done;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(); // most responses have a few bytes
    private int read;
    private volatile @Nullable HttpResponse head;
    private volatile @Nullable WebhookResponse complete;

    /**
     * @param done called once: when the response is complete and the connection is available again, or when the
     *     connection is being closed because the response is too long
     */
    BoundedResponse(Consumer<WebhookResponse> done) {
        this.done = done;
    }

    @Override
    public void consumeResponse(
            HttpResponse response,
            @Nullable EntityDetails entity,
            HttpContext context,
            FutureCallback<WebhookResponse> callback) {
        head = response;
        if (entity == null) {
            complete = toResponse(response);
        }
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        // The final response is still to come.
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(READ_BYTES);
    }

    @Override
    public void consume(ByteBuffer source) throws IOException {
        read += source.remaining();
        byte[] start = new byte[Math.min(source.remaining(), KEPT_BYTES - kept.size())];
        source.get(start);
        kept.writeBytes(start);
        source.position(source.limit());
        if (read > READ_BYTES) {
            done.accept(Objects.requireNonNull(partial()));
            throw new IOException("The response is longer than " + READ_BYTES + " bytes");
        }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        complete = partial();
    }

    @Override
    public void failed(Exception cause) {
        complete = null;
    }

    /** Called when the connection is back in the pool, so that a caller that receives the response can reuse it. */
    @Override
    public void releaseResources() {
        WebhookResponse response = complete;
        if (response != null) {
            done.accept(response);
        }
    }

    /**
     * Returns what has arrived; null before the headers have. To be called by the thread that reads, or once it has
     * ended.
     */
    @Nullable WebhookResponse partial() {
        HttpResponse response = head;
        return response == null ? null : toResponse(response);
    }

    private WebhookResponse toResponse(HttpResponse response) {
        String text = kept.toString(StandardCharsets.UTF_8).replace('\0', '\ufffd');
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
                    .add(Objects.requireNonNullElse(header.getValue(), ""));
        }
        Header retryAfter = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
        return new WebhookResponse(
                response.getCode(), text, retryAfter == null ? null : retryAfter.getValue(), headers);
    }
}
