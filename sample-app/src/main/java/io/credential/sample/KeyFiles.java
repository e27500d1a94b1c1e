package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Writes tokens to files next to the database, which only the user of this process can read. */
@Component
class KeyFiles {

    private final Path directory;

    KeyFiles(@Value("${credential.storage.path:./data/credential.db}") Path database) {
        this.directory = database.toAbsolutePath().normalize().resolveSibling("");
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * Writes a token, replacing an earlier one; readers never see an incomplete file.
     *
     * @param name the path of the file, relative to the directory of the database
     */
    void write(String name, String key) {
        Path path = path(name);
        try {
            Path parent = Files.createDirectories(path.resolveSibling(""));
            Path written = Files.createTempFile(parent, "key", ".tmp"); // mode 600
            try {
                Files.writeString(written, key + System.lineSeparator());
                Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The key cannot be written to " + path + "; make its directory writable", e);
        }
    }
}
