package io.credential.spring.webhook.internal;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

import org.springframework.http.HttpHeaders;

import jakarta.servlet.http.HttpServletRequest;

/** How a body is encoded (RFC 9110, section 8.4). */
enum ContentCoding {
    NONE,
    GZIP;

    /**
     * Returns the only coding of a request.
     *
     * @throws UnusableBodyException if it has another one, or several
     */
    static ContentCoding of(HttpServletRequest request) {
        List<String> codings = Collections.list(request.getHeaders(HttpHeaders.CONTENT_ENCODING)).stream()
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
                .toList();
        if (codings.isEmpty()) {
            return NONE;
        }
        if (codings.equals(List.of("gzip")) || codings.equals(List.of("x-gzip"))) {
            return GZIP;
        }
        throw UnusableBodyException.encoding();
    }
}
