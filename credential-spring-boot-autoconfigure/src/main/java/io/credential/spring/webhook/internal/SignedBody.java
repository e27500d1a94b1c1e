package io.credential.spring.webhook.internal;

import java.io.IOException;

import jakarta.servlet.http.HttpServletRequest;

import io.credential.webhook.signature.PresentedSignature;

/**
 * The body of a request that presents a signature: read, decompressed and verified in the order that its format requires. For
 * one request.
 */
final class SignedBody {

    private final InboundWebhook webhook;
    private final PresentedSignature<?> presented;
    private final boolean isCompressed;
    private byte[] bytes;

    private SignedBody(InboundWebhook webhook, PresentedSignature<?> presented, boolean isCompressed, byte[] bytes) {
        this.webhook = webhook;
        this.presented = presented;
        this.isCompressed = isCompressed;
        this.bytes = bytes;
    }

    /**
     * Reads the bytes that are signed. Abandons the signature if that fails.
     *
     * @throws UnusableBodyException if the body cannot be read or decompressed, or is too long
     */
    static SignedBody read(InboundWebhook webhook, PresentedSignature<?> presented, HttpServletRequest request) {
        try {
            boolean isCompressed = ContentCoding.of(request) == ContentCoding.GZIP;
            byte[] sent = read(request, webhook.maxBodySize());
            boolean isDecodedFirst = isCompressed && !webhook.encodedBodySigned();
            return new SignedBody(
                    webhook,
                    presented,
                    isCompressed,
                    isDecodedFirst ? GzipBody.decode(sent, webhook.maxBodySize()) : sent);
        } catch (UnusableBodyException e) {
            presented.abandon(e.reason());
            throw e;
        }
    }

    /** If the body is too long, as little as possible is read. */
    private static byte[] read(HttpServletRequest request, long maxBytes) {
        byte[] body;
        try {
            // Without Content-Length, this is -1.
            if (request.getContentLengthLong() > maxBytes) {
                throw UnusableBodyException.tooLarge(maxBytes);
            }
            body = request.getInputStream().readNBytes(Math.toIntExact(maxBytes + 1));
        } catch (UnusableBodyException e) {
            throw e;
        } catch (IOException | RuntimeException e) { // Jetty throws the latter for malformed chunks
            throw UnusableBodyException.unreadable(e);
        }
        if (body.length > maxBytes) {
            throw UnusableBodyException.tooLarge(maxBytes);
        }
        return body;
    }

    /**
     * Makes the remaining checks, and then decompresses the body if its compressed bytes are signed.
     *
     * @return what was verified
     * @throws UnusableBodyException if the body cannot be decompressed, or is too long; the request is then not accepted
     */
    Object verify() {
        Object verified = presented.verify(bytes);
        if (isCompressed && webhook.encodedBodySigned()) {
            try {
                bytes = GzipBody.decode(bytes, webhook.maxBodySize());
            } catch (UnusableBodyException e) {
                nonceRelease().release();
                throw e;
            }
        }
        return verified;
    }

    NonceRelease nonceRelease() {
        return new NonceRelease(webhook.name(), presented);
    }

    /** Returns a verified request with the decompressed body. */
    BufferedBodyRequest in(HttpServletRequest request, FormLimits limits) {
        HttpServletRequest described = isCompressed ? new DecodedHeadersRequest(request, bytes.length) : request;
        return new BufferedBodyRequest(described, bytes, limits, nonceRelease(), webhook);
    }
}
