package io.credential.spring.webhook.internal;

import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request whose headers describe the decoded body: without {@code Content-Encoding}, and with the decoded length. */
final class DecodedHeadersRequest extends HttpServletRequestWrapper {

    private final int length;

    DecodedHeadersRequest(HttpServletRequest request, int length) {
        super(request);
        this.length = length;
    }

    @Override
    public int getContentLength() {
        return length;
    }

    @Override
    public long getContentLengthLong() {
        return length;
    }

    @Override
    public @Nullable String getHeader(String name) {
        if (isOfEncodedBody(name)) {
            return isLength(name) ? String.valueOf(length) : null;
        }
        return super.getHeader(name);
    }

    @Override
    public int getIntHeader(String name) {
        if (isOfEncodedBody(name)) {
            return isLength(name) ? length : -1;
        }
        return super.getIntHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        if (isOfEncodedBody(name)) {
            return Collections.enumeration(isLength(name) ? List.of(String.valueOf(length)) : List.of());
        }
        return super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(DecodedHeadersRequest::isOfEncodedBody);
        names.add(HttpHeaders.CONTENT_LENGTH);
        return Collections.enumeration(names);
    }

    private static boolean isOfEncodedBody(String name) {
        return isLength(name) || HttpHeaders.CONTENT_ENCODING.equalsIgnoreCase(name);
    }

    private static boolean isLength(String name) {
        return HttpHeaders.CONTENT_LENGTH.equalsIgnoreCase(name);
    }
}
