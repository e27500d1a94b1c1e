package io.credential.webhook.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
    private int status;
    private @Nullable String retryAfter;
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
        status = response.getCode();
        Header header = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
        retryAfter = header == null ? null : header.getValue();
        if (entity == null) {
            complete = toResponse();
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
            done.accept(toResponse());
            throw new IOException("The response is longer than " + READ_BYTES + " bytes");
        }
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        complete = toResponse();
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

    private WebhookResponse toResponse() {
        String text = kept.toString(StandardCharsets.UTF_8).replace('\0', '\ufffd');
        return new WebhookResponse(status, text, retryAfter);
    }
}
