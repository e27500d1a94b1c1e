package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** A browser without scripts: it keeps cookies, follows redirects, and submits forms with their CSRF token. */
final class Browser {

    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");

    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
            .followRedirects(Redirect.NORMAL)
            .connectTimeout(Patience.LIMIT)
            .build();
    private final URI base;

    Browser(int port) {
        this.base = URI.create("http://localhost:" + port);
    }

    Page get(String path) {
        return send(request(path).GET());
    }

    /** Opens a page and submits its form to the path of the page. */
    Page submit(String path, Map<String, String> fields) {
        Page page = get(path);
        Matcher token = TOKEN.matcher(page.html());
        assertThat(token.find()).as(page.html()).isTrue();
        Map<String, String> all = new TreeMap<>(fields);
        all.put("_csrf", token.group(1));
        return post(page.path(), all);
    }

    Page post(String path, Map<String, String> fields) {
        String form = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
    }

    Page logIn(String password) {
        return submit("/login", Map.of("username", "operator", "password", password));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path))
                .timeout(Patience.LIMIT)
                .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    }

    private Page send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            return new Page(response.statusCode(), response.uri().getPath(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a page", e);
        }
    }

    /** The page to which the redirects have led. */
    record Page(int status, String path, String html) {}
}
