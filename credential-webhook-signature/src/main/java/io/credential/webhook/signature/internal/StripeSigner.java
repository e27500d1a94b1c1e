package io.credential.webhook.signature.internal;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/** Signs as Stripe does: {@code <timestamp>.<body>} in one header, with one or more keys. Thread-safe. */
public final class StripeSigner {

    private final String header;
    private final List<HmacSha256Key> keys;
    private final InstantSource clock;

    /** @param secrets whose signatures are sent, in this order; the bytes of each are the key */
    public StripeSigner(String header, List<SecretBytes> secrets, InstantSource clock) {
        this.header = header;
        this.keys = secrets.stream().map(HmacSha256Key::new).toList();
        this.clock = clock;
    }

    /** Returns the header that carries the signatures of a body. */
    public Map<String, String> headers(byte[] body) {
        String timestamp = UnixSeconds.format(clock.instant().getEpochSecond());
        byte[] head = (timestamp + ".").getBytes(StandardCharsets.US_ASCII);
        return Map.of(
                header,
                ProcessorHeader.format(
                        timestamp,
                        keys.stream().map(key -> key.compute(head, body)).toList()));
    }
}
