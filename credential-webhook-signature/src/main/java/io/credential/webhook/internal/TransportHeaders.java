package io.credential.webhook.internal;

import java.util.Locale;
import java.util.Set;

/** The headers that only an HTTP client sets, because they frame the message or are for the next hop. */
public final class TransportHeaders {

    private static final Set<String> NAMES = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "expect",
            "te",
            "trailer",
            "proxy-authorization",
            "proxy-connection");

    private TransportHeaders() {}

    /** Returns whether only the client sets this header. The name may be in any case. */
    public static boolean contains(String name) {
        return NAMES.contains(name.toLowerCase(Locale.ROOT));
    }
}
