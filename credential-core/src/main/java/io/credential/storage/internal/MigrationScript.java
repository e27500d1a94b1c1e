package io.credential.storage.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * A file of {@link SchemaScripts}, read without Flyway.
 *
 * @param version with dots, such as {@code 9.2}
 * @param text with placeholders
 */
record MigrationScript(String file, String version, String description, String text) {

    private static final Pattern FILE = Pattern.compile("V([0-9_]+?)__(\\w+)\\.sql");

    /** Returns the scripts for a database, in any order. */
    static List<MigrationScript> read(SchemaScripts scripts, SqlDialect dialect) {
        PathMatchingResourcePatternResolver files =
                new PathMatchingResourcePatternResolver(MigrationScript.class.getClassLoader());
        try {
            List<MigrationScript> read = new ArrayList<>();
            for (String location : scripts.locations(dialect)) {
                for (Resource file : files.getResources(location.replace("classpath:", "classpath*:") + "/*.sql")) {
                    read.add(of(file));
                }
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MigrationScript of(Resource resource) throws IOException {
        String file = String.valueOf(resource.getFilename());
        Matcher name = FILE.matcher(file);
        if (!name.matches()) {
            throw new IllegalStateException("Not a versioned script: " + file);
        }
        return new MigrationScript(
                file,
                name.group(1).replace('_', '.'),
                name.group(2).replace('_', ' '),
                resource.getContentAsString(StandardCharsets.UTF_8));
    }

    /** Returns Flyway's checksum: without placeholders replaced, and whatever the ends of lines are. */
    int checksum() {
        CRC32 checksum = new CRC32();
        text.lines().forEach(line -> checksum.update(line.getBytes(StandardCharsets.UTF_8)));
        return (int) checksum.getValue();
    }
}
