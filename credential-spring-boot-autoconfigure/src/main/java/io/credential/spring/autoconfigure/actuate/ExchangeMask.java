package io.credential.spring.autoconfigure.actuate;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.actuate.web.exchanges.HttpExchange;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;

import io.credential.apikey.leak.internal.TokenMask;

/**
 * Masks API keys in recorded exchanges: each token in the URI and the headers, and whatever else a header for keys
 * holds, which may be the key of another application.
 */
final class ExchangeMask {

    private static final String HEADER_NAME = "credential.api-keys.header-name";
    private static final String SCHEME = "apikey ";

    private final Environment environment;

    ExchangeMask(Environment environment) {
        this.environment = environment;
    }

    @SuppressWarnings("NullAway") // Spring Boot itself creates requests without a remote address, unless it is recorded
    HttpExchange mask(HttpExchange exchange) {
        HttpExchange.Request request = exchange.getRequest();
        HttpExchange.Response response = exchange.getResponse();
        return new HttpExchange(
                exchange.getTimestamp(),
                new HttpExchange.Request(
                        URI.create(TokenMask.mask(request.getUri().toString())),
                        request.getRemoteAddress(),
                        request.getMethod(),
                        headers(request.getHeaders())),
                new HttpExchange.Response(response.getStatus(), headers(response.getHeaders())),
                exchange.getPrincipal(),
                exchange.getSession(),
                exchange.getTimeTaken());
    }

    private Map<String, List<String>> headers(Map<String, List<String>> headers) {
        String header = environment.getProperty(HEADER_NAME, "X-API-Key");
        Map<String, List<String>> masked = new LinkedHashMap<>();
        headers.forEach((name, values) -> masked.put(
                name,
                values.stream()
                        .map(value -> isForKeys(name, value, header) ? secret(value) : TokenMask.mask(value))
                        .toList()));
        return masked;
    }

    private static boolean isForKeys(String name, String value, String header) {
        return name.equalsIgnoreCase(header)
                || (name.equalsIgnoreCase(HttpHeaders.AUTHORIZATION)
                        && value.toLowerCase(Locale.ROOT).startsWith(SCHEME));
    }

    /** A value that was masked before stays as it is. */
    private static String secret(String value) {
        String masked = TokenMask.mask(value);
        return masked.contains(TokenMask.MASK) ? masked : TokenMask.MASK;
    }
}
