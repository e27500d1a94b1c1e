package io.credential.webhook.http;

import java.io.IOException;

import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.jspecify.annotations.Nullable;

/**
 * Marks a request that passed the proxy. The client returns a refusal by the proxy as if it came from the receiver;
 * without this mark, a 200 or 403 of the proxy would count as the receiver's response.
 */
final class TunnelMark implements AsyncExecChainHandler {

    private static final String PASSED = TunnelMark.class.getName();

    @Override
    public void execute(
            HttpRequest request,
            @Nullable AsyncEntityProducer body,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        scope.clientContext.setAttribute(PASSED, true);
        chain.proceed(request, body, scope, callback);
    }

    /** Returns whether the response is from the proxy and not from the receiver. */
    static boolean missing(HttpClientContext context) {
        return context.getAttribute(PASSED) == null;
    }
}
