package io.credential.webhook.http.internal;

import java.io.IOException;

import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.UnsupportedHttpVersionException;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultContentLengthStrategy;
import org.apache.hc.core5.http.impl.nio.ClientHttp1IOEventHandler;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexerFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseParser;
import org.apache.hc.core5.http.message.MessageSupport;
import org.apache.hc.core5.http.nio.SessionInputBuffer;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http2.impl.nio.ClientHttp1UpgradeHandler;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.jspecify.annotations.Nullable;

import io.credential.webhook.http.FailureReason;

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

    private static final int MAX_HEADERS = 100;
    private static final int FIRST_FINAL_STATUS = 200;

    private boolean started;
    private long bytes;
    private int status;

    private WholeHeadParser(Http1Config config) {
        super(config, DefaultHttpResponseFactory.INSTANCE);
    }

    @Override
    public void reset() {
        super.reset();
        started = false;
        bytes = 0;
        status = 0;
    }

    @Override
    protected HttpResponse createMessage(CharArrayBuffer statusLine) throws HttpException {
        HttpResponse response = super.createMessage(statusLine);
        ProtocolVersion version = response.getVersion();
        if (version != null && version.greaterEquals(HttpVersion.HTTP_2)) {
            throw new UnsupportedHttpVersionException(version);
        }
        if (response.getCode() < HttpStatus.SC_CONTINUE) {
            throw new ParseException("Status " + response.getCode());
        }
        status = response.getCode();
        return response;
    }

    @Override
    public @Nullable HttpResponse parse(SessionInputBuffer buffer, boolean endOfStream)
            throws IOException, HttpException {
        started = started || buffer.hasData();
        int before = buffer.length();
        HttpResponse response = parseMore(buffer);
        bytes += before - buffer.length();
        if (bytes > MAX_BYTES) {
            throw tooLarge("is longer than " + MAX_BYTES + " bytes", null);
        }
        if (response == null && endOfStream && started) {
            throw broken(
                    FailureReason.RESPONSE_TRUNCATED,
                    status == 0 ? "its status line is incomplete" : "its headers are incomplete",
                    null);
        }
        if (response != null) {
            check(response);
        }
        return response;
    }

    private @Nullable HttpResponse parseMore(SessionInputBuffer buffer) throws IOException, HttpException {
        try {
            return super.parse(buffer, false);
        } catch (MessageConstraintException | HttpException | IllegalArgumentException e) { // the last one: status 000
            if (status == 0) {
                throw broken(
                        FailureReason.RESPONSE_MALFORMED, "it does not begin with a status line of HTTP/1.0 or 1.1", e);
            }
            throw e instanceof MessageConstraintException
                    ? tooLarge("has a line of more than " + HttpConnections.MAX_LINE + " bytes", e)
                    : broken(FailureReason.RESPONSE_MALFORMED, "a header line has no name or no colon", e);
        }
    }

    private void check(HttpResponse response) throws BrokenResponseException {
        if (response.getHeaders().length > MAX_HEADERS) {
            throw tooLarge("has more than " + MAX_HEADERS + " headers", null);
        }
        if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
            throw broken(FailureReason.RESPONSE_MALFORMED, "it switches to another protocol", null);
        }
        try {
            if (MessageSupport.canResponseHaveBody(Method.POST.name(), response)) {
                var unused = DefaultContentLengthStrategy.INSTANCE.determineLength(response);
            }
        } catch (HttpException e) {
            throw broken(
                    FailureReason.RESPONSE_MALFORMED,
                    "its Content-Length or Transfer-Encoding is invalid or not supported",
                    e);
        }
    }

    private BrokenResponseException tooLarge(String limit, @Nullable Throwable cause) {
        return broken(FailureReason.RESPONSE_HEAD_TOO_LARGE, "its head " + limit, cause);
    }

    private BrokenResponseException broken(FailureReason reason, String rule, @Nullable Throwable cause) {
        return new BrokenResponseException(reason, status < FIRST_FINAL_STATUS ? null : status, rule, cause);
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
                    () -> new WholeHeadParser(Http1Config.copy(config)
                            .setMaxHeaderCount(-1) // counted here, to say which limit is exceeded
                            .build()),
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
