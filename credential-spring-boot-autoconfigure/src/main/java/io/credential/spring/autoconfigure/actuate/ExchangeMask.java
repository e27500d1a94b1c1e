package io.credential.spring.autoconfigure.actuate;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.springframework.boot.actuate.web.exchanges.HttpExchange;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;

import io.credential.apikey.leak.internal.TokenMask;

/**
 * Masks API keys in recorded exchanges: each token in the URI and the headers, and whatever else a header for keys
 * holds, which may be the key of another application.
 */
final class ExchangeMask {

    private static final String HEADER_NAME = "credential.api-keys.header-name";
    private static final String ACCEPT_BEARER = "credential.api-keys.accept-bearer";
    private static final String SCHEME = "apikey ";
    private static final String BEARER = "bearer ";

    private final List<String> keyHeaders;
    private final boolean acceptsBearer;

    ExchangeMask(Environment environment) {
        Binder properties = Binder.get(environment);
        this.keyHeaders =
                properties.bind(HEADER_NAME, Bindable.listOf(String.class)).orElse(List.of("X-API-Key"));
        this.acceptsBearer = properties.bind(ACCEPT_BEARER, Boolean.class).orElse(false);
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
        Map<String, List<String>> masked = new LinkedHashMap<>();
        headers.forEach((name, values) -> masked.put(
                name,
                values.stream()
                        .map(value -> isForKeys(name, value) ? secret(value) : TokenMask.mask(value))
                        .toList()));
        return masked;
    }

    private boolean isForKeys(String name, String value) {
        if (keyHeaders.stream().anyMatch(name::equalsIgnoreCase)) {
            return true;
        }
        String credential = value.toLowerCase(Locale.ROOT);
        return name.equalsIgnoreCase(HttpHeaders.AUTHORIZATION)
                && (credential.startsWith(SCHEME) || (acceptsBearer && credential.startsWith(BEARER)));
    }

    /** A value that was masked before stays as it is. */
    private static String secret(String value) {
        String masked = TokenMask.mask(value);
        return masked.contains(TokenMask.MASK) ? masked : TokenMask.MASK;
    }
}
