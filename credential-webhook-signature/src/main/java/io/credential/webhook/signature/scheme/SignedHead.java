package io.credential.webhook.signature.scheme;

import java.util.List;
import java.util.OptionalLong;

import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;
import io.credential.webhook.signature.internal.UnixSeconds;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;
import io.credential.webhook.signature.scheme.WebhookScheme.Match;
import io.credential.webhook.signature.scheme.WebhookScheme.Presented;

/** A request whose signature is an HMAC-SHA-256 over a head and the body. */
final class SignedHead implements Presented {

    private final WebhookClaims claims;
    private final HmacSha256Keys keys;
    private final byte[] head;
    private final List<byte[]> signatures;

    /**
     * @param head what is signed before the body
     * @param signatures any of which may match
     */
    SignedHead(WebhookClaims claims, HmacSha256Keys keys, byte[] head, List<byte[]> signatures) {
        this.claims = claims;
        this.keys = keys;
        this.head = head;
        this.signatures = signatures;
    }

    @Override
    public WebhookClaims claims() {
        return claims;
    }

    @Override
    public Match verify(byte[] body) {
        return keys.match(head, body, signatures);
    }

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
        OptionalLong seconds = UnixSeconds.parse(head.required(name, Limits.TIMESTAMP));
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
        String line = head.required(name, Limits.SIGNATURE);
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
