package io.credential.webhook.http.internal;

import java.net.InetAddress;

import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.RouteInfo.LayerType;
import org.apache.hc.client5.http.RouteInfo.TunnelType;
import org.apache.hc.client5.http.routing.HttpRoutePlanner;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.VettedDestination;

/**
 * Creates routes with both the vetted address and the host name. Connections are pooled by route. Therefore, a
 * destination never uses a connection to an address that was not in its DNS answer, or one that was authenticated for
 * another host.
 */
final class VettedRoutePlanner implements HttpRoutePlanner {

    private final @Nullable HttpHost proxy;

    VettedRoutePlanner(@Nullable HttpHost proxy) {
        this.proxy = proxy;
    }

    /** Returns what to connect to: the address itself, never a name, so that nothing resolves one again. */
    static HttpHost hop(VettedDestination destination, InetAddress address) {
        return new HttpHost(destination.scheme(), address, address.getHostAddress(), destination.port());
    }

    /** A proxy gets the address, too, and everything is tunnelled: with TLS, it sees neither signature nor body. */
    @Override
    public HttpRoute determineRoute(HttpHost hop, HttpRequest request, HttpContext context) {
        boolean secure = hop.getSchemeName().equals("https");
        if (proxy == null) {
            return new HttpRoute(hop, request.getAuthority(), null, secure);
        }
        return new HttpRoute(
                hop,
                request.getAuthority(),
                null,
                new HttpHost[] {proxy},
                secure,
                TunnelType.TUNNELLED,
                secure ? LayerType.LAYERED : LayerType.PLAIN);
    }

    /** Called only for redirects, which are disabled. */
    @Override
    @Deprecated
    public HttpRoute determineRoute(HttpHost hop, HttpContext context) throws HttpException {
        throw new HttpException("A route cannot be planned without the request that holds the host name");
    }
}
