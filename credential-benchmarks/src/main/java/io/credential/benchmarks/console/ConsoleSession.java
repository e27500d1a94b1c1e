package io.credential.benchmarks.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.credential.benchmarks.Load;
import io.credential.benchmarks.host.HostProcess;

/** An operator who has logged in to the console of a host application over HTTP. Thread-safe. */
final class ConsoleSession {

    private static final int UNCOUNTED = -1;

    private static final Pattern COOKIE = Pattern.compile("JSESSIONID=[^;]+");

    /** Shared: twenty clients would have twenty threads that look at connections. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI console;
    private final String cookie;

    private ConsoleSession(URI console, String cookie) {
        this.console = console;
        this.cookie = cookie;
    }

    /** Opens a session. */
    static ConsoleSession logIn(HostProcess host) throws IOException, InterruptedException {
        URI console = URI.create(host.origin() + "/credential/");
        String login = "operator:" + HostProcess.OPERATOR_PASSWORD;
        HttpResponse<byte[]> response = send(request(console)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8))));
        return new ConsoleSession(
                console,
                response.headers().allValues("Set-Cookie").stream()
                        .map(COOKIE::matcher)
                        .filter(Matcher::lookingAt)
                        .map(Matcher::group)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("The login failed: " + response)));
    }

    /**
     * Opens a page or an asset.
     *
     * @param path relative to the console
     */
    Answer get(String path) throws IOException, InterruptedException {
        return get(path, null);
    }

    /**
     * Opens a page as the script of the page does to refresh it.
     *
     * @param tag of what is shown, or null
     */
    Answer get(String path, @Nullable String tag) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(console.resolve(path)).header("Cookie", cookie);
        HttpResponse<byte[]> response = send(tag == null ? request : request.header("If-None-Match", tag));
        if (response.statusCode() != 200 && response.statusCode() != 304) {
            throw new IllegalStateException("The console answered " + response.statusCode() + " to " + path);
        }
        return new Answer(
                response.body(),
                response.headers().firstValue("ETag").orElse(null),
                response.headers()
                        .firstValue("X-Statements")
                        .map(Integer::valueOf)
                        .orElse(UNCOUNTED));
    }

    private static HttpRequest.Builder request(URI url) {
        return HttpRequest.newBuilder(url).timeout(Load.LIMIT).header("Accept", "text/html");
    }

    private static HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /**
     * What the console sent.
     *
     * @param body empty if the page has not changed
     * @param tag null for assets
     * @param statements that the application has prepared for it; negative if it does not count them
     */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares answers
    record Answer(byte[] body, @Nullable String tag, int statements) {

        String html() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }
}
