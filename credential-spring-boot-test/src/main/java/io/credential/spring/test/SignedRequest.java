package io.credential.spring.test;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.credential.webhook.signature.scheme.RequestHead;
import io.credential.webhook.signature.scheme.WebhookClaims;

/**
 * A request that a sender signed, for {@link WebhookSchemeContract}. Keep bodies short: each of their bits is changed. Not
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class SignedRequest {

    private final String kid;
    private final String key;
    private final byte[] body;
    private final WebhookClaims claims;
    private final Map<String, String> signed = new LinkedHashMap<>();
    private final Map<String, String> others = new LinkedHashMap<>();
    private String url = "";

    private SignedRequest(String kid, String key, byte[] body, WebhookClaims claims) {
        this.kid = kid;
        this.key = key;
        this.body = body;
        this.claims = claims;
    }

    /**
     * Returns a request without headers.
     *
     * @param kid the name of the key; any, unless requests of the scheme name their keys
     * @param key that verifies the request, as in {@code credential.webhook.inbound.<name>.keys}
     * @param body is copied
     * @param claims what the scheme must read from the headers, and which of it the sender signs
     */
    public static SignedRequest of(String kid, String key, byte[] body, WebhookClaims claims) {
        return new SignedRequest(kid, key, body.clone(), claims);
    }

    /** Adds a header that is needed and covered by the signature, or is the signature. Every change must be refused. */
    public SignedRequest signedHeader(String name, String value) {
        signed.put(name, value);
        return this;
    }

    /** Adds a header that the signature does not cover. */
    public SignedRequest header(String name, String value) {
        others.put(name, value);
        return this;
    }

    /** Sets the URL, for schemes that sign it. Every change must be refused. Default: empty. */
    public SignedRequest signedUrl(String url) {
        this.url = url;
        return this;
    }

    String kid() {
        return kid;
    }

    String key() {
        return key;
    }

    byte[] body() {
        return body.clone();
    }

    WebhookClaims claims() {
        return claims;
    }

    String url() {
        return url;
    }

    Map<String, String> signedHeaders() {
        return Collections.unmodifiableMap(signed);
    }

    /** Returns a new map of all headers, one line each. */
    Map<String, List<String>> headers() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        signed.forEach((name, value) -> headers.put(name, List.of(value)));
        others.forEach((name, value) -> headers.put(name, List.of(value)));
        return headers;
    }

    RequestHead head() {
        return new RequestHead(url, headers());
    }

    /** Returns the head with other lines of one header. */
    RequestHead with(String name, List<String> lines) {
        Map<String, List<String>> headers = headers();
        headers.put(name, lines);
        return new RequestHead(url, headers);
    }

    @Override
    public String toString() {
        return "SignedRequest" + headers().keySet();
    }
}
