package io.credential.webhook.signature.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/**
 * The header {@code t=<timestamp>,v1=<signature>[,v1=<signature>...]}. Other segments are ignored, so that a sender can
 * add schemes.
 *
 * @param timestamp when it was signed, in Unix seconds
 * @param signatures of all valid {@code v1} segments
 */
public record ProcessorHeader(long timestamp, List<byte[]> signatures) {

    public static final String SCHEME = "v1";

    private static final int MAX_LENGTH = 4096;

    public static String format(String timestamp, List<byte[]> signatures) {
        StringBuilder header = new StringBuilder(SegmentNames.TIMESTAMP + "=" + timestamp);
        signatures.forEach(signature -> header.append("," + SCHEME + "=").append(HexText.encode(signature)));
        return header.toString();
    }

    /**
     * @throws WebhookException {@code webhook/missing-header} if the header is null, {@code webhook/bad-stripe-header}
     *     if it is too long, has too many segments, or has no valid timestamp or signature
     */
    public static ProcessorHeader parse(@Nullable String header) {
        if (header == null) {
            throw new WebhookException(WebhookErrorCode.MISSING_HEADER, "The request has no signature header");
        }
        if (header.length() > MAX_LENGTH) {
            throw bad("it is longer than " + MAX_LENGTH + " characters");
        }
        if (HeaderSegments.areTooMany(header)) {
            throw bad("it has more than " + HeaderSegments.MAX + " segments");
        }
        String timestamp = null;
        boolean repeated = false;
        List<byte[]> signatures = new ArrayList<>(2);
        for (String segment : HeaderSegments.of(header)) {
            if (segment.startsWith("t=")) {
                repeated |= timestamp != null;
                timestamp = segment.substring(2);
            } else if (segment.startsWith("v1=")) {
                byte[] signature = HexText.decode(segment.substring(3), HmacSha256Key.OUTPUT_BYTES);
                if (signature != null) {
                    signatures.add(signature);
                }
            }
        }
        OptionalLong seconds = timestamp == null || repeated ? OptionalLong.empty() : UnixSeconds.parse(timestamp);
        if (seconds.isEmpty()) {
            throw bad("it has no timestamp 't' in plain Unix seconds, or more than one");
        }
        if (signatures.isEmpty()) {
            throw bad("it has no signature 'v1' of 64 hexadecimal digits");
        }
        return new ProcessorHeader(seconds.getAsLong(), signatures);
    }

    private static WebhookException bad(String why) {
        return new WebhookException(
                WebhookErrorCode.BAD_STRIPE_HEADER, "The processor-style header cannot be used: " + why);
    }
}
