package io.credential.webhook.http;

import javax.net.ssl.SSLContext;

import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/** How receivers are authenticated. The JDK checks the host name during the handshake, before anything is sent. */
final class TlsSettings {

    private final SSLContext context;

    private final String @Nullable [] protocols;

    private final String @Nullable [] ciphers;

    TlsSettings(SSLContext context, String @Nullable [] protocols, String @Nullable [] ciphers) {
        this.context = context;
        this.protocols = protocols == null ? null : protocols.clone();
        this.ciphers = ciphers == null ? null : ciphers.clone();
    }

    /** With the certificates that the JDK trusts. */
    static TlsSettings ofTheJdk() {
        return new TlsSettings(SSLContexts.createDefault(), null, null);
    }

    TlsStrategy toStrategy() {
        return new DefaultClientTlsStrategy(
                context, protocols, ciphers, SSLBufferMode.STATIC, HostnameVerificationPolicy.BUILTIN, null);
    }
}
