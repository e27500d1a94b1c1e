package io.credential.architecture.planted.webhook;

import org.apache.hc.client5.http.impl.async.HttpAsyncClients;

/** Breaks: only the transport uses the HTTP client. */
public final class SendsByItself {

    public Object client() {
        return HttpAsyncClients.createDefault();
    }
}
