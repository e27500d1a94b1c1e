package io.credential.apikey;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes that are hashed for a secret: it with its namespace and id, each preceded by its length, so that a hash
 * copied to another row matches no token.
 */
final class SecretInput {

    private static final byte[] TAG = "credential/api-key/v1".getBytes(StandardCharsets.UTF_8);

    private SecretInput() {}

    static byte[] of(String namespace, String idHex, String secretHex) {
        byte[] space = namespace.getBytes(StandardCharsets.UTF_8);
        byte[] id = idHex.getBytes(StandardCharsets.UTF_8);
        byte[] secret = secretHex.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer =
                ByteBuffer.allocate(4 * Integer.BYTES + TAG.length + space.length + id.length + secret.length);
        append(buffer, TAG);
        append(buffer, space);
        append(buffer, id);
        append(buffer, secret);
        return buffer.array();
    }

    private static void append(ByteBuffer buffer, byte[] part) {
        buffer.putInt(part.length).put(part);
    }
}
