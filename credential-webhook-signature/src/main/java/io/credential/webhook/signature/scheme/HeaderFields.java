package io.credential.webhook.signature.scheme;

import java.util.OptionalLong;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/** Reads headers that several schemes have. Their lengths are limited, in characters. */
final class HeaderFields {

    /** Of a header with several signatures. */
    static final int MAX_SIGNATURES = 4096;

    /** Of a header with one signature. */
    static final int MAX_SIGNATURE = 256;

    private static final int MAX_TIMESTAMP = 32;

    private HeaderFields() {}

    /**
     * Returns the only line of a header as Unix seconds.
     *
     * @throws WebhookException {@code webhook/missing-timestamp}, {@code webhook/bad-header-format} or {@code
     *     webhook/bad-timestamp}
     */
    static long timestamp(RequestHead head, String name) {
        if (head.lines(name).isEmpty()) {
            throw new WebhookException(WebhookErrorCode.MISSING_TIMESTAMP, "The request has no header " + name);
        }
        OptionalLong seconds = UnixSeconds.parse(head.required(name, MAX_TIMESTAMP));
        return seconds.orElseThrow(() -> new WebhookException(
                WebhookErrorCode.BAD_TIMESTAMP, "The header " + name + " must be whole Unix seconds in plain decimal"));
    }

    /**
     * Returns the only line of a header as one signature in hexadecimal after a prefix.
     *
     * @throws WebhookException {@code webhook/missing-header}, {@code webhook/bad-header-format} or {@code
     *     webhook/missing-signature}
     */
    static byte[] hexSignature(RequestHead head, String name, String prefix) {
        String line = head.required(name, MAX_SIGNATURE);
        byte[] signature = line.startsWith(prefix)
                ? HexText.decode(line.substring(prefix.length()), HmacSha256Key.OUTPUT_BYTES)
                : null;
        if (signature == null) {
            throw noSignature(name);
        }
        return signature;
    }

    /** Says that no signature of a header can be compared. */
    static WebhookException noSignature(String name) {
        return new WebhookException(
                WebhookErrorCode.MISSING_SIGNATURE, "The header " + name + " has no signature of a known form");
    }
}
