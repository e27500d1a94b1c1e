package io.credential.spring.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A client with the cookies of a browser, which says what a browser would not. */
final class ConsoleClient {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");

    private final String application;
    private final CookieManager cookies = new CookieManager();
    private final HttpClient http = HttpClient.newBuilder()
            .cookieHandler(cookies)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param application its URL, without a slash at its end */
    ConsoleClient(String application) {
        this.application = application;
    }

    ConsoleClient logIn(ConsoleUser user) {
        HttpResponse<String> response = send(form(
                application + "/login",
                "username=" + encoded(user.username()) + "&password=" + ConsoleUser.PASSWORD + "&_csrf="
                        + encoded(loginToken())));
        if (response.statusCode() != 302
                || response.headers().firstValue("Location").orElse("").contains("error")) {
            throw new AssertionError("The login of " + user + " failed: " + response);
        }
        return this;
    }

    ConsoleClient logOut() {
        HttpResponse<String> response = send(form(application + "/logout", "_csrf=" + encoded(token())));
        if (response.statusCode() != 302) {
            throw new AssertionError("The logout failed: " + response);
        }
        return this;
    }

    /** Returns a CSRF token of the session, from the form that logs in, which is shown to everybody. */
    String loginToken() {
        return tokenIn(send(request(application + "/login")).body());
    }

    /** Returns the cookies as a browser sends them. */
    String cookies() {
        return cookies.getCookieStore().getCookies().stream()
                .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    /** Returns a CSRF token of the session, from the form that logs out. */
    String token() {
        return tokenIn(send(request(application + "/logout")).body());
    }

    /**
     * Gets a page.
     *
     * @param headers names and values
     */
    HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = request(application + "/credential/" + path);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /** Posts a form that has only this token. */
    HttpResponse<String> post(String path, String token, String... headers) {
        HttpRequest.Builder request = form(application + "/credential/" + path, "_csrf=" + encoded(token));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    /**
     * Posts a form with this token.
     *
     * @param fields names and values, in turn
     */
    HttpResponse<String> postForm(String path, String token, String... fields) {
        StringBuilder body = new StringBuilder("_csrf=" + encoded(token));
        for (int i = 0; i < fields.length; i += 2) {
            body.append('&').append(fields[i]).append('=').append(encoded(fields[i + 1]));
        }
        return send(form(application + "/credential/" + path, body.toString()));
    }

    private static HttpRequest.Builder form(String url, String body) {
        return request(url)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(Patience.LIMIT).header("Accept", "text/html");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for a response", e);
        }
    }

    private static String tokenIn(String html) {
        Matcher token = TOKEN.matcher(html);
        if (!token.find()) {
            throw new AssertionError("No CSRF token in " + html);
        }
        return token.group(1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }
}
