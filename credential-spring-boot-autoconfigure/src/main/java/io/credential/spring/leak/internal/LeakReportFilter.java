package io.credential.spring.leak.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.filter.OncePerRequestFilter;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import io.credential.apikey.ApiKeyException;
import io.credential.apikey.NotLeaderException;
import io.credential.apikey.leak.internal.LeakedKey;
import io.credential.secret.internal.FieldBytes;
import io.credential.spring.web.internal.ProblemResponse;
import io.credential.storage.internal.JsonText;

/**
 * Answers every request that it is given: the signature of the partner takes the place of a login. Nothing after this filter
 * gets such a request. The signature is verified before the body is parsed, and the key is looked up before the body is
 * read. Thread-safe.
 */
public final class LeakReportFilter extends OncePerRequestFilter {

    /** The code of a 401. */
    public static final String UNAUTHORIZED = "api-key/leak-report-unauthorized";

    /** The code of a 400. */
    public static final String MALFORMED = "api-key/leak-report-malformed";

    /** The code of a 413. */
    public static final String TOO_LARGE = "api-key/leak-report-too-large";

    /** The code of a 405. */
    public static final String METHOD_NOT_ALLOWED = "api-key/leak-report-method-not-allowed";

    /** The code of a 415. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "api-key/leak-report-unsupported-media-type";

    /** The code of a 503. */
    public static final String UNAVAILABLE = "api-key/leak-report-unavailable";

    private static final String KEY_ID = "Github-Public-Key-Identifier";
    private static final String SIGNATURE = "Github-Public-Key-Signature";
    private static final String CHALLENGE = "Signature realm=\"leak-reports\"";
    private static final String RETRY_AFTER_SECONDS = "5";
    private static final int MAX_KEY_ID = 255;

    private final ReportKeys keys;
    private final LeakReportHandler handler;
    private final int maxBytes;
    private final int maxReports;

    /**
     * @param maxBytes the maximum length of a body
     * @param maxReports the maximum number of reports in a body
     */
    public LeakReportFilter(ReportKeys keys, LeakReportHandler handler, int maxBytes, int maxReports) {
        this.keys = keys;
        this.handler = handler;
        this.maxBytes = maxBytes;
        this.maxReports = maxReports;
    }

    /** This filter comes before the one that tells others, such as the audit trail, which request this thread has. */
    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException {
        RequestAttributes before = RequestContextHolder.getRequestAttributes();
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
        try {
            answer(request, response);
        } catch (RefusedException e) {
            e.problem.writeTo(response);
        } finally {
            RequestContextHolder.setRequestAttributes(before);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!request.getMethod().equals("POST")) {
            response.setHeader(HttpHeaders.ALLOW, "POST");
            throw new RefusedException(HttpStatus.METHOD_NOT_ALLOWED, METHOD_NOT_ALLOWED, "Send reports with POST");
        }
        if (!isJson(request)) {
            throw new RefusedException(
                    HttpStatus.UNSUPPORTED_MEDIA_TYPE, UNSUPPORTED_MEDIA_TYPE, "Send reports as application/json");
        }
        byte[] body = verified(request, response);
        List<ReportedLeak> reports = parse(body);
        List<Optional<LeakedKey>> leaked = handle(reports, response);
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        response.getOutputStream().write(feedback(reports, leaked).getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isJson(HttpServletRequest request) {
        try {
            String type = request.getContentType();
            return type != null
                    && MediaType.parseMediaType(type).isCompatibleWith(MediaType.APPLICATION_JSON)
                    && request.getHeader(HttpHeaders.CONTENT_ENCODING) == null;
        } catch (InvalidMediaTypeException e) {
            return false;
        }
    }

    private byte[] verified(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String keyId = header(request, KEY_ID);
        String signature = header(request, SIGNATURE);
        Optional<ReportKey> key = Optional.empty();
        if (keyId != null && signature != null && keyId.length() <= MAX_KEY_ID) {
            try {
                key = keys.find(keyId);
            } catch (KeysUnavailableException e) {
                throw unavailable("The public keys of the reports are not available; send the reports again", response);
            }
        }
        if (key.isPresent()) {
            byte[] body = read(request);
            if (key.get().verifies(body, String.valueOf(signature))) {
                return body;
            }
        }
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, CHALLENGE);
        throw new RefusedException(
                HttpStatus.UNAUTHORIZED,
                UNAUTHORIZED,
                "Reports need a valid signature with a known key, in the headers " + KEY_ID + " and " + SIGNATURE);
    }

    /** Returns the value of a header, null unless there is exactly one. */
    private static @Nullable String header(HttpServletRequest request, String name) {
        Enumeration<String> values = request.getHeaders(name);
        String value = values.hasMoreElements() ? values.nextElement() : null;
        return values.hasMoreElements() ? null : value;
    }

    private byte[] read(HttpServletRequest request) {
        byte[] body;
        try {
            body = request.getContentLengthLong() > maxBytes
                    ? null
                    : request.getInputStream().readNBytes(maxBytes + 1);
        } catch (IOException | RuntimeException e) { // Jetty throws the latter for malformed chunks
            throw new RefusedException(HttpStatus.BAD_REQUEST, MALFORMED, "The body could not be read to its end");
        }
        if (body == null || body.length > maxBytes) {
            throw tooLarge("The body is longer than " + maxBytes + " bytes");
        }
        return body;
    }

    private List<ReportedLeak> parse(byte[] body) {
        try {
            return ReportJson.readReports(body, maxReports);
        } catch (ReportJson.TooManyReportsException e) {
            throw tooLarge("The body has more than " + maxReports + " reports");
        } catch (MalformedReportException e) {
            throw new RefusedException(HttpStatus.BAD_REQUEST, MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private List<Optional<LeakedKey>> handle(List<ReportedLeak> reports, HttpServletResponse response) {
        try {
            return handler.handle(reports.stream().map(ReportedLeak::report).toList());
        } catch (NotLeaderException e) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            ProblemResponse problem = new ProblemResponse(
                    HttpStatus.SERVICE_UNAVAILABLE, e.code(), "Another node is the leader; nothing was changed");
            if (e.leader() != null) {
                problem.with("leader", e.leader());
            }
            if (e.leaderUrl() != null) {
                problem.with("leaderUrl", e.leaderUrl());
            }
            throw new RefusedException(problem);
        } catch (ApiKeyException e) {
            logger.warn("Reports of leaked keys were not processed: " + e.code(), e);
            throw unavailable("The reports could not be processed; send them again", response);
        } catch (RuntimeException e) {
            logger.error("Reports of leaked keys were not processed to the end", e);
            throw unavailable("The reports could not be processed; send them again", response);
        }
    }

    /** The optional feedback of GitHub's partner program, with hashes, so that no response contains a token. */
    private static String feedback(List<ReportedLeak> reports, List<Optional<LeakedKey>> leaked) {
        List<Map<String, Object>> feedback = new ArrayList<>();
        for (int i = 0; i < reports.size(); i++) {
            Map<String, Object> element = new LinkedHashMap<>();
            element.put("token_hash", sha256(reports.get(i).report().token()));
            element.put("token_type", reports.get(i).type());
            element.put("label", leaked.get(i).isPresent() ? "true_positive" : "false_positive");
            feedback.add(element);
        }
        return JsonText.write(feedback);
    }

    private static String sha256(String token) {
        byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
        return FieldBytes.sha256(bytes, bytes.length);
    }

    private static RefusedException tooLarge(String detail) {
        return new RefusedException(HttpStatus.CONTENT_TOO_LARGE, TOO_LARGE, detail);
    }

    private static RefusedException unavailable(String detail, HttpServletResponse response) {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        return new RefusedException(HttpStatus.SERVICE_UNAVAILABLE, UNAVAILABLE, detail);
    }

    /** Carries the answer to a request that is refused. */
    private static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient ProblemResponse problem;

        RefusedException(HttpStatus status, String code, String detail) {
            this(new ProblemResponse(status, code, detail));
        }

        RefusedException(ProblemResponse problem) {
            super(null, null, false, false);
            this.problem = problem;
        }
    }
}
