package io.credential.spring.webhook.internal;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.Part;

/**
 * A verified request, whose body has been read and can be read once more. It has no session of the container, whatever
 * its cookies or the application's security chains say: the sender of a webhook has none. A session that is created for
 * it ends with the request.
 */
final class BufferedBodyRequest extends HttpServletRequestWrapper {

    private static final String ONCE_MORE = "The body was read to verify its signature; read it with getInputStream()";

    private final byte[] body;
    private final FormLimits limits;
    private final NonceRelease nonceRelease;
    private final InboundWebhook webhook;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, String[]> parameters;
    private @Nullable List<FormPart> parts;
    private @Nullable RequestSession session;

    /** @param body kept, not copied */
    BufferedBodyRequest(
            HttpServletRequest request,
            byte[] body,
            FormLimits limits,
            NonceRelease nonceRelease,
            InboundWebhook webhook) {
        super(request);
        this.body = body;
        this.limits = limits;
        this.nonceRelease = nonceRelease;
        this.webhook = webhook;
    }

    byte[] body() {
        return body;
    }

    /** Returns its sender. */
    InboundWebhook webhook() {
        return webhook;
    }

    NonceRelease nonceRelease() {
        return nonceRelease;
    }

    @Override
    public ServletInputStream getInputStream() {
        if (stream == null) {
            stream = new BufferedBody(body);
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            reader = new BufferedReader(new InputStreamReader(getInputStream(), charset()));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null || values.length == 0 ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /**
     * Reads a form from the body alone, because the container no longer can: the query is not signed, and its values
     * would come before those of the body.
     *
     * @throws UnusableBodyException if the form is malformed
     */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            if (hasMediaType(MediaType.APPLICATION_FORM_URLENCODED)) {
                parameters = parseForm();
            } else if (isMultipartForm()) {
                parameters = parseFields();
            } else {
                return super.getParameterMap();
            }
        }
        return parameters;
    }

    private Map<String, String[]> parseForm() {
        try {
            // Only a POST has form parameters; for other methods, a filter of the application may add them.
            byte[] form = "POST".equals(getMethod()) ? body : new byte[0];
            return FormParameters.parse(form, charset(), limits.maxParameters());
        } catch (FormParameters.MalformedFormException e) {
            throw UnusableBodyException.malformedForm(e).noteIn(this);
        }
    }

    /**
     * Reads the parts of a form from the body, because the container no longer can.
     *
     * @throws UnusableBodyException if the format is another one or not supported, or the form is malformed or too large
     */
    @Override
    public Collection<Part> getParts() {
        if (!isMultipartForm()) {
            throw UnusableBodyException.multipart().noteIn(this);
        }
        return Collections.unmodifiableList(formParts());
    }

    private List<FormPart> formParts() {
        if (parts == null) {
            parts = parseParts();
        }
        return parts;
    }

    @Override
    public @Nullable Part getPart(String name) {
        return getParts().stream()
                .filter(part -> part.getName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private List<FormPart> parseParts() {
        try {
            limits.requirePermitted(body.length);
            List<FormPart> parsed = MultipartForm.parse(body, String.valueOf(getContentType()), limits.maxParameters());
            parsed.forEach(limits::requirePermitted);
            return parsed;
        } catch (FormParameters.MalformedFormException e) {
            throw UnusableBodyException.malformedForm(e).noteIn(this);
        } catch (UnusableBodyException e) {
            throw e.noteIn(this);
        }
    }

    /** Parts without a file name are parameters. */
    private Map<String, String[]> parseFields() {
        MultiValueMap<String, String> values = new LinkedMultiValueMap<>();
        try {
            for (FormPart part : formParts()) {
                if (part.getSubmittedFileName() == null) {
                    values.add(part.getName(), FormParameters.decode(part.content(), charset()));
                }
            }
        } catch (FormParameters.MalformedFormException e) {
            throw UnusableBodyException.malformedForm(e).noteIn(this);
        }
        return FormParameters.arrays(values);
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        RequestSession current = session;
        if (current != null && current.isValid()) {
            return current;
        }
        session = create ? new RequestSession(getServletContext()) : null;
        return session;
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return null;
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return false;
    }

    @Override
    public String changeSessionId() {
        HttpSession current = getSession(false);
        if (current == null) {
            throw new IllegalStateException("The request has no session");
        }
        return current.getId();
    }

    private boolean isMultipartForm() {
        return limits.multipart() != null && hasMediaType(MediaType.MULTIPART_FORM_DATA);
    }

    private boolean hasMediaType(MediaType expected) {
        String type = getContentType();
        if (type == null) {
            return false;
        }
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).strip().equalsIgnoreCase(expected.toString());
    }

    private Charset charset() {
        String name = getCharacterEncoding();
        if (name == null) {
            return StandardCharsets.UTF_8;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            // As Tomcat does; Spring Boot sets UTF-8 before, unless that is switched off.
            return StandardCharsets.ISO_8859_1;
        }
    }

    private static final class BufferedBody extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        BufferedBody(byte[] body) {
            this.bytes = new ByteArrayInputStream(body);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public int available() {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException(ONCE_MORE + " without a listener");
        }
    }
}
