package io.credential.spring.webhook.internal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

import io.credential.spring.webhook.internal.FormParameters.MalformedFormException;

/**
 * Parses {@code multipart/form-data} (RFC 7578) in memory. Rejects whatever another parser may understand differently: text
 * before and after the parts, folded and repeated headers, and lines that only begin like a boundary. Depends on nothing but
 * its arguments. Not thread-safe.
 */
final class MultipartForm {

    /** Of all headers of a part, in bytes. */
    private static final int MAX_HEADERS = 2048;

    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");
    private static final Pattern HEADER = Pattern.compile("(?!--)([0-9A-Za-z!#$%&'*+.^_`|~-]+):[ \t]*([^\\p{Cntrl}]*)");
    private static final Pattern PARAMETER = Pattern.compile("[ \t]*;[ \t]*([a-z]+)=(?:\"[^\"\\\\]*\"|[^\\s\";\\\\]+)");
    private static final Set<String> UNENCODED = Set.of("7bit", "8bit", "binary");

    private final byte[] body;
    private final byte[] delimiter;
    private int position;

    private MultipartForm(byte[] body, String boundary) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Returns the parts in their order.
     *
     * @param maxCount how many parts are accepted
     * @throws MalformedFormException if the format is not valid or ambiguous, or there are too many parts
     */
    static List<FormPart> parse(byte[] body, String contentType, int maxCount) throws MalformedFormException {
        return new MultipartForm(body, boundary(contentType)).parts(maxCount);
    }

    private static String boundary(String contentType) throws MalformedFormException {
        String boundary;
        try {
            boundary = MediaType.parseMediaType(contentType).getParameter("boundary");
        } catch (InvalidMediaTypeException e) {
            throw new MalformedFormException("has an invalid Content-Type");
        }
        String lower = contentType.toLowerCase(Locale.ROOT);
        if (boundary == null || lower.indexOf("boundary=") != lower.lastIndexOf("boundary=")) {
            throw new MalformedFormException("does not have exactly one boundary");
        }
        boundary = boundary.startsWith("\"") ? boundary.substring(1, boundary.length() - 1) : boundary;
        if (!BOUNDARY.matcher(boundary).matches()) {
            throw new MalformedFormException("has an invalid boundary");
        }
        return boundary;
    }

    private List<FormPart> parts(int maxCount) throws MalformedFormException {
        List<FormPart> parts = new ArrayList<>();
        // The first delimiter has no line break before it.
        require(startsWith(Arrays.copyOfRange(delimiter, 2, delimiter.length)), "does not begin with its boundary");
        while (!skip("--")) {
            if (parts.size() == maxCount) {
                throw new MalformedFormException("has more than " + maxCount + " parts");
            }
            require(skip("\r\n"), "has a line that begins like its boundary");
            Map<String, String> headers = headers();
            int start = position;
            // The line break after the headers is also that before the delimiter of an empty part.
            position = indexOf(delimiter, start - 2);
            require(position >= 0, "does not end with its boundary");
            byte[] content = Arrays.copyOfRange(body, start, Math.max(start, position));
            position += delimiter.length;
            parts.add(part(headers, content));
        }
        skip("\r\n");
        require(position == body.length, "has text after its last boundary");
        return parts;
    }

    private Map<String, String> headers() throws MalformedFormException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        int start = position;
        while (!skip("\r\n")) {
            int end = indexOf(new byte[] {'\r', '\n'}, position);
            require(end >= 0 && end - start <= MAX_HEADERS, "has a part whose headers are incomplete or too long");
            Matcher header = HEADER.matcher(text(position, end));
            require(header.matches(), "has a part with a malformed header");
            require(
                    headers.put(header.group(1), header.group(2).strip()) == null,
                    "has a part with a header that is repeated");
            position = end + 2;
        }
        return headers;
    }

    private static FormPart part(Map<String, String> headers, byte[] content) throws MalformedFormException {
        String value = headers.getOrDefault(HttpHeaders.CONTENT_DISPOSITION, "");
        Set<String> parameters = new HashSet<>();
        require(value.startsWith("form-data"), "has a part that is not form-data");
        Matcher parameter = PARAMETER.matcher(value).region("form-data".length(), value.length());
        while (parameter.lookingAt()) {
            require(
                    parameters.add(parameter.group(1)),
                    "has a part with a repeated parameter in its Content-Disposition");
            parameter.region(parameter.end(), value.length());
        }
        require(parameter.regionStart() == value.length(), "has a part with a malformed Content-Disposition");
        String encoding = headers.getOrDefault("Content-Transfer-Encoding", "binary");
        require(UNENCODED.contains(encoding.toLowerCase(Locale.ROOT)), "has a part that is encoded");
        ContentDisposition disposition;
        try {
            disposition = ContentDisposition.parse(value);
        } catch (IllegalArgumentException e) {
            throw new MalformedFormException("has a part with a malformed Content-Disposition");
        }
        String name = disposition.getName();
        if (name == null || name.isEmpty()) {
            throw new MalformedFormException("has a part without a name");
        }
        return new FormPart(name, disposition.getFilename(), headers, content);
    }

    private String text(int start, int end) throws MalformedFormException {
        return FormParameters.decode(Arrays.copyOfRange(body, start, end), StandardCharsets.UTF_8);
    }

    private boolean skip(String expected) {
        return startsWith(expected.getBytes(StandardCharsets.US_ASCII));
    }

    private boolean startsWith(byte[] expected) {
        int end = position + expected.length;
        if (end > body.length || !Arrays.equals(body, position, end, expected, 0, expected.length)) {
            return false;
        }
        position = end;
        return true;
    }

    private int indexOf(byte[] sought, int from) {
        for (int i = from; i <= body.length - sought.length; i++) {
            if (body[i] == sought[0] && Arrays.equals(body, i, i + sought.length, sought, 0, sought.length)) {
                return i;
            }
        }
        return -1;
    }

    private static void require(boolean isValid, String otherwise) throws MalformedFormException {
        if (!isValid) {
            throw new MalformedFormException(otherwise);
        }
    }
}
