package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The file {@code first-admin-key} next to the database, which only the user of this process can read. */
@Component
class AdminKeyFile {

    private final Path path;

    AdminKeyFile(@Value("${credential.storage.path:./data/credential.db}") Path database) {
        this.path = database.toAbsolutePath().normalize().resolveSibling("first-admin-key");
    }

    Path path() {
        return path;
    }

    /** Writes the key, replacing that of an earlier database; readers never see an incomplete file. */
    void write(String key) {
        try {
            Path directory = Files.createDirectories(path.resolveSibling(""));
            Path written = Files.createTempFile(directory, "first-admin-key", ".tmp"); // mode 600
            try {
                Files.writeString(written, key + System.lineSeparator());
                Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The first admin key cannot be written to " + path + "; make its directory writable", e);
        }
    }
}
