package io.credential.webhook.http;

import java.io.IOException;

import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.nio.ClientHttp1IOEventHandler;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexerFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseParser;
import org.apache.hc.core5.http.nio.SessionInputBuffer;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http2.impl.nio.ClientHttp1UpgradeHandler;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.jspecify.annotations.Nullable;

/**
 * Requires that the head of an HTTP/1.1 response ends with an empty line and is short. The client's parser also accepts
 * a head that ends with the stream, so that a receiver that fails within its headers could count as one that answered
 * 200 (RFC 9112, section 8: a response is complete only if its header section is); and it limits lines, but not the
 * memory that all of them take. Used by one connection.
 */
final class WholeHeadParser extends DefaultHttpResponseParser<HttpResponse> {

    static final int MAX_BYTES = 32 * 1024;

    /** Trailers are ignored, but the client holds them in memory until the response ends. */
    private static final int MAX_TRAILERS = 8;

    private boolean started;
    private long bytes;

    private WholeHeadParser(Http1Config config) {
        super(config, DefaultHttpResponseFactory.INSTANCE);
    }

    @Override
    public void reset() {
        super.reset();
        started = false;
        bytes = 0;
    }

    @Override
    public @Nullable HttpResponse parse(SessionInputBuffer buffer, boolean endOfStream)
            throws IOException, HttpException {
        started = started || buffer.hasData();
        int before = buffer.length();
        HttpResponse response = super.parse(buffer, false);
        bytes += before - buffer.length();
        if (bytes > MAX_BYTES) {
            throw new MessageConstraintException("The head of the response is longer than " + MAX_BYTES + " bytes");
        }
        if (response == null && endOfStream && started) {
            throw new ConnectionClosedException("The connection was closed within the headers of the response");
        }
        return response;
    }

    /** Installs the parser in the connections of a client, which has no option for it. */
    static final class Installer {

        private final ClientHttp1StreamDuplexerFactory streams;

        Installer(Http1Config config) {
            this.streams = new ClientHttp1StreamDuplexerFactory(
                    HttpProcessorBuilder.create().build(),
                    Http1Config.copy(config)
                            .setMaxHeaderCount(MAX_TRAILERS) // applies to trailers only; this parser reads the head
                            .build(),
                    CharCodingConfig.DEFAULT,
                    DefaultClientConnectionReuseStrategy.INSTANCE,
                    () -> new WholeHeadParser(config),
                    null,
                    null);
        }

        /**
         * Must be called when TCP has connected, before anything is sent or read.
         *
         * @throws IllegalStateException if the parser of the connection cannot be replaced
         */
        void install(IOSession session) {
            if (!(session instanceof ProtocolIOSession channel)) {
                throw new IllegalStateException("Connections must be ProtocolIOSessions, not " + session.getClass());
            }
            channel.registerProtocol(ApplicationProtocol.HTTP_1_1.id, new ClientHttp1UpgradeHandler(streams));
            if (channel.getHandler() instanceof ClientHttp1IOEventHandler) {
                channel.upgrade(
                        new ClientHttp1IOEventHandler(streams.create(channel))); // to a proxy, nothing is negotiated
            }
        }
    }
}
