package io.credential.webhook.http;

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

/**
 * Creates routes with both the vetted address and the host name. Connections are pooled by route, so one to an
 * address that DNS no longer names is never used for a destination vetted later, and one that was verified for another
 * host is not either.
 */
final class VettedRoutePlanner implements HttpRoutePlanner {

    private final @Nullable HttpHost proxy;

    VettedRoutePlanner(@Nullable HttpHost proxy) {
        this.proxy = proxy;
    }

    /** What to connect to: the address itself, never a name, so that nothing on the way resolves one. */
    static HttpHost hop(VettedDestination destination, InetAddress address) {
        return new HttpHost(destination.scheme(), address, bareText(address), destination.port());
    }

    /** Without the zone that a link-local address of DNS may bring along. */
    private static String bareText(InetAddress address) {
        String text = address.getHostAddress();
        int zone = text.indexOf('%');
        return zone < 0 ? text : text.substring(0, zone);
    }

    /** Through a proxy everything is tunnelled: it gets the address too, and sees neither signature nor body of TLS. */
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

    /** Only redirects ask without a request, and those are off. */
    @Override
    @Deprecated
    public HttpRoute determineRoute(HttpHost hop, HttpContext context) throws HttpException {
        throw new HttpException("A route cannot be planned without the request that holds the host name");
    }
}
