package io.credential.spring.console.internal.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.support.RequestContextUtils;

import gg.jte.html.HtmlContent;
import gg.jte.html.escape.Escape;
import gg.jte.output.StringOutput;

import io.credential.spring.console.internal.templates.JtelayoutGenerated;

/** Writes the pages of the console, and what all its responses have in common. */
final class PageWriter {

    /** Lets the script of a page tell the console from a login page. */
    private static final String MARK = "X-Credential-Console";

    /** The session keeps it until the next page: in the URL, any link could claim that something was done. */
    private static final String NOTICE = "credential.console.notice";

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final int TYPICAL_LENGTH = 16_384;

    private final List<NavigationEntry> navigation;
    private final boolean readOnly;
    private final Assets assets;
    private final SentForms forms;

    PageWriter(List<NavigationEntry> navigation, boolean readOnly, Assets assets, SentForms forms) {
        this.navigation = List.copyOf(navigation);
        this.readOnly = readOnly;
        this.assets = assets;
        this.forms = forms;
    }

    /**
     * Returns a page. If the browser has the same page already, returns 304 without it. The comparison ignores the
     * CSRF token and the form id, which differ in each response.
     */
    ServerResponse page(ServerRequest request, Reply.OfPage page, String root, Operator operator, CsrfToken token) {
        StringOutput text = new StringOutput(TYPICAL_LENGTH);
        Page frame = describe(request, page, root, operator, token);
        HtmlContent content = output -> page.body().render(output, frame);
        JtelayoutGenerated.render(new ConsoleOutput(text), null, frame, content);
        String html = text.toString();
        String tag = '"' + Fingerprint.of(html) + '"';
        if (request.method().equals(HttpMethod.GET)
                && page.status() == HttpStatus.OK
                && request.headers().header("If-None-Match").contains(tag)) {
            return headers(ServerResponse.status(HttpStatus.NOT_MODIFIED))
                    .eTag(tag)
                    .build();
        }
        StringOutput escaped = new StringOutput();
        Escape.htmlAttribute(token.getToken(), escaped);
        byte[] bytes = html.replace(Page.CSRF_TOKEN, escaped.toString())
                .replace(Page.FORM_ID, forms.newId())
                .getBytes(StandardCharsets.UTF_8);
        return headers(ServerResponse.status(page.status()))
                .eTag(tag)
                .header("Content-Type", "text/html;charset=UTF-8")
                .build((servletRequest, response) -> {
                    response.setContentLength(bytes.length);
                    response.getOutputStream().write(bytes);
                    return null;
                });
    }

    private Page describe(ServerRequest request, Reply.OfPage page, String root, Operator operator, CsrfToken token) {
        return new Page(
                page.title(),
                page.section(),
                root,
                navigation,
                operator,
                readOnly,
                token.getParameterName(),
                notice(request),
                assets);
    }

    private static @Nullable String notice(ServerRequest request) {
        @Nullable Map<String, ?> flash = RequestContextUtils.getInputFlashMap(request.servletRequest());
        return flash == null ? null : (String) flash.get(NOTICE);
    }

    /** @param notice what the page at the location says once; null for nothing */
    ServerResponse redirect(String location, @Nullable String notice) {
        return headers(ServerResponse.status(HttpStatus.SEE_OTHER))
                .header("Location", location)
                .build((request, response) -> {
                    if (notice != null) {
                        RequestContextUtils.getOutputFlashMap(request).put(NOTICE, notice);
                        RequestContextUtils.saveOutputFlashMap(location, request, response);
                    }
                    return null;
                });
    }

    ServerResponse asset(Assets.Asset asset) {
        return secured(ServerResponse.ok())
                .header("Cache-Control", "private, max-age=31536000, immutable")
                .header("Content-Type", asset.contentType())
                .build((request, response) -> {
                    response.setContentLength(asset.content().length);
                    response.getOutputStream().write(asset.content());
                    return null;
                });
    }

    private static ServerResponse.HeadersBuilder<?> headers(ServerResponse.BodyBuilder response) {
        return secured(response).header("Cache-Control", "no-store").header(MARK, "1");
    }

    private static ServerResponse.HeadersBuilder<?> secured(ServerResponse.BodyBuilder response) {
        return response.header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin")
                .header("X-Content-Type-Options", "nosniff");
    }
}
