package io.credential.webhook.signature.internal;

import java.util.Map;

import io.credential.secret.SecretBytes;
import io.credential.webhook.signature.key.internal.HexText;
import io.credential.webhook.signature.key.internal.HmacSha256Key;

/** Signs as GitHub does: the body alone, in one header with one signature. Thread-safe. */
public final class GitHubSigner {

    private static final byte[] NO_HEAD = {};

    private final String header;
    private final HmacSha256Key key;

    /** @param secret its bytes are the key */
    public GitHubSigner(String header, SecretBytes secret) {
        this.header = header;
        this.key = new HmacSha256Key(secret);
    }

    /** Returns the header that carries the signature of a body. */
    public Map<String, String> headers(byte[] body) {
        return Map.of(header, "sha256=" + HexText.encode(key.compute(NO_HEAD, body)));
    }
}
