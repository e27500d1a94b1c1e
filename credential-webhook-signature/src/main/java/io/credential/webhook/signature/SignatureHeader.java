package io.credential.webhook.signature;

import java.util.LinkedHashMap;
import java.util.Map;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.HeaderSegments;
import io.credential.webhook.signature.internal.SegmentNames;
import io.credential.webhook.signature.internal.UnixSeconds;

/**
 * The header {@code t=<timestamp>,id=<id>,<kid>=<signature>}. The last segment may be repeated with other kids.
 *
 * @param timestamp when it was signed, in Unix seconds
 * @param id the id of the delivery
 * @param signatures the signatures by kid, in the order of the header; none is empty, but they are not checked otherwise
 */
record SignatureHeader(long timestamp, String id, Map<String, String> signatures) {

    static String format(String timestamp, String id, String kid, String signature) {
        return SegmentNames.TIMESTAMP + "=" + timestamp + "," + SegmentNames.ID + "=" + id + "," + kid + "="
                + signature;
    }

    /**
     * Reads a header.
     *
     * @param maxLength in characters; a longer header is refused before any work
     * @throws WebhookException with the code of the first error
     */
    static SignatureHeader parse(String header, int maxLength) {
        Map<String, String> signatures = segments(header, maxLength);
        String timestamp = signatures.remove(SegmentNames.TIMESTAMP);
        String id = signatures.remove(SegmentNames.ID);
        if (id != null && !SegmentNames.isId(id)) {
            throw badFormat("its id is malformed");
        }
        for (String kid : signatures.keySet()) {
            if (!SegmentNames.isKid(kid)) {
                throw badFormat("one of its kids is malformed");
            }
        }
        if (timestamp == null) {
            throw new WebhookException(WebhookErrorCode.MISSING_TIMESTAMP, "The signature header has no segment 't'");
        }
        long seconds = UnixSeconds.parse(timestamp)
                .orElseThrow(() -> new WebhookException(
                        WebhookErrorCode.BAD_TIMESTAMP,
                        "The timestamp of the signature header must be whole Unix seconds in plain decimal"));
        if (id == null) {
            throw new WebhookException(WebhookErrorCode.MISSING_ID, "The signature header has no segment 'id'");
        }
        if (signatures.isEmpty()) {
            throw new WebhookException(WebhookErrorCode.MISSING_SIGNATURE, "The signature header has no signature");
        }
        return new SignatureHeader(seconds, id, signatures);
    }

    /** Returns all segments by name. */
    private static Map<String, String> segments(String header, int maxLength) {
        if (header.length() > maxLength) {
            throw badFormat("it is longer than " + maxLength + " characters");
        }
        if (HeaderSegments.areTooMany(header)) {
            throw badFormat("it has more than " + HeaderSegments.MAX + " segments");
        }
        Map<String, String> segments = new LinkedHashMap<>();
        for (String segment : HeaderSegments.of(header)) {
            int equals = segment.indexOf('=');
            if (equals < 1 || equals == segment.length() - 1) {
                throw badFormat("a segment is not 'name=value'");
            }
            if (segments.put(segment.substring(0, equals), segment.substring(equals + 1)) != null) {
                throw badFormat("a segment is repeated");
            }
        }
        return segments;
    }

    private static WebhookException badFormat(String why) {
        return new WebhookException(
                WebhookErrorCode.BAD_HEADER_FORMAT, "The signature header cannot be parsed: " + why);
    }
}
