package io.credential.spring.console.browser;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.util.HtmlUtils;

import io.credential.testing.Patience;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

/** Nothing that somebody puts into a request makes the console lead elsewhere. */
@ExtendWith(Consoles.class)
class RedirectTests {

    private static final String EVIL = "evil.example";

    private static final Pattern LOCATION = Pattern.compile("(?i)\r\nlocation: *([^\r]*)\r\n");

    private static final Pattern LINK = Pattern.compile("(?:href|src|action|data-secret)=\"([^\"]*)\"");

    /** A path with a redirect that adds a slash, one with a redirect of a page, and a page. */
    private static final List<String> PATHS =
            List.of("/credential", "/credential/endpoints?id=erp", "/credential/deliveries?status=dead");

    private final RunningConsole console;
    private final String cookies;

    RedirectTests(RunningConsole console) {
        this.console = console;
        this.cookies = new ConsoleClient(console.application())
                .logIn(ConsoleUser.OPERATOR)
                .cookies();
    }

    /** The application evaluates the headers of proxies. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: evil.example",
                "X-Forwarded-Host: evil.example",
                "X-Forwarded-Prefix: //evil.example",
                "X-Forwarded-Prefix: https://evil.example/",
                "X-Forwarded-Proto: javascript",
                "Forwarded: host=evil.example;proto=https",
                "X-Original-URL: //evil.example/",
                "X-Rewrite-URL: //evil.example/",
                "Referer: https://evil.example/"
            })
    void headerWhenItNamesAnotherHostThenIsIgnored(String header) throws IOException {
        for (String path : PATHS) {
            String expected = get(path, "Accept: text/html");

            String response = get(path, header);

            assertThat(status(response)).as(path).isIn(status(expected), "400");
            assertThat(location(response)).as(path).isIn(location(expected), "");
            assertLinksStay(path, response);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example",
                "//evil.example/credential",
                "//evil.example/..;/credential",
                "/\\evil.example",
                "/\\evil.example/credential",
                "http://evil.example/credential",
                "/credential//evil.example",
                "/credential/\\evil.example",
                "/credential/%2f%2fevil.example",
                "/credential/%5cevil.example",
                "/credential/..//evil.example/credential",
                "/credential;//evil.example",
                "/credential/https://evil.example",
                "/credential/endpoints//evil.example",
                "/credential/endpoints/evil.example/edit",
                "/credential/deliveries/..%2f..%2f%2fevil.example"
            })
    void pathWhenItNamesAnotherHostThenLeadsNowhere(String path) throws IOException {
        String response = get(path, "Accept: text/html");

        assertThat(location(response))
                .doesNotContain(EVIL)
                .doesNotStartWith("/")
                .doesNotContain(":");
        assertLinksStay(path, response);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"})
    void parameterWhenItNamesAnotherHostThenLeadsNowhere(String value) throws IOException {
        String encoded = URLEncoder.encode(value, ISO_8859_1);
        for (String name : List.of(
                "id",
                "after",
                "next",
                "url",
                "redirect",
                "return",
                "back",
                "continue",
                "cursor",
                "endpoint",
                "type",
                "audience",
                "key",
                "registry",
                "show",
                "event",
                "actor",
                "_csrf",
                "form")) {
            for (String path : List.of("", "deliveries", "deliveries/retry", "endpoints", "keys", "audit", "dead")) {
                String target = "/credential/" + path + "?" + name + "=" + encoded;

                String response = get(target, "Accept: text/html");

                assertThat(location(response)).as(target).isEmpty();
                assertLinksStay(target, response);
            }
        }
    }

    /** The tests above would also pass if nothing were redirected. */
    @Test
    void redirectThenIsRelative() throws IOException {
        assertThat(location(get(PATHS.get(0), "Accept: text/html"))).isEqualTo("credential/");
        assertThat(location(get(PATHS.get(1), "Accept: text/html"))).isEqualTo("./endpoints/erp");
    }

    /** Sends a request as it is, which clients would correct. */
    private String get(String target, String header) throws IOException {
        URI server = URI.create(console.server());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            OutputStream out = socket.getOutputStream();
            String host = header.startsWith("Host:") ? "" : "Host: " + server.getAuthority() + "\r\n";
            out.write(("GET " + target + " HTTP/1.1\r\n" + host + header + "\r\nCookie: " + cookies
                            + "\r\nConnection: close\r\n\r\n")
                    .getBytes(ISO_8859_1));
            out.flush();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static String status(String response) {
        return response.substring(9, 12);
    }

    private static String location(String response) {
        Matcher location = LOCATION.matcher(response.substring(0, response.indexOf("\r\n\r\n") + 2));
        return location.find() ? location.group(1) : "";
    }

    private void assertLinksStay(String path, String response) {
        URI page = URI.create(console.server() + "/credential/deliveries");
        Matcher link = LINK.matcher(response);
        while (link.find()) {
            String url = HtmlUtils.htmlUnescape(link.group(1)).replaceAll("[?#].*", "");
            if (!url.startsWith("data:image/")) {
                assertThat(page.resolve(url).getAuthority())
                        .as("%s in %s", url, path)
                        .isEqualTo(page.getAuthority());
            }
        }
    }
}
