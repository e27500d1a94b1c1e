package io.credential.spring.webhook.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

import jakarta.servlet.http.Part;

/** A part of a verified form, in memory. Thread-safe. */
final class FormPart implements Part {

    private final String name;
    private final @Nullable String fileName;
    private final Map<String, String> headers;
    private final byte[] content;

    /**
     * @param headers by their names, whose case must not matter
     * @param content kept, not copied
     */
    FormPart(String name, @Nullable String fileName, Map<String, String> headers, byte[] content) {
        this.name = name;
        this.fileName = fileName;
        this.headers = headers;
        this.content = content;
    }

    byte[] content() {
        return content;
    }

    @Override
    public InputStream getInputStream() {
        return new ByteArrayInputStream(content);
    }

    @Override
    public @Nullable String getContentType() {
        return headers.get(HttpHeaders.CONTENT_TYPE);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return fileName;
    }

    @Override
    public long getSize() {
        return content.length;
    }

    /** Writes the content to a file, whose path must be absolute. */
    @Override
    public void write(String path) throws IOException {
        Path file = Path.of(path);
        if (!file.isAbsolute()) {
            throw new IOException("The path of the file to write must be absolute");
        }
        Files.write(file, content);
    }

    /** Does nothing: nothing is stored. */
    @Override
    public void delete() {}

    @Override
    public @Nullable String getHeader(String header) {
        return headers.get(header);
    }

    @Override
    public Collection<String> getHeaders(String header) {
        String value = headers.get(header);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return Collections.unmodifiableSet(headers.keySet());
    }
}
