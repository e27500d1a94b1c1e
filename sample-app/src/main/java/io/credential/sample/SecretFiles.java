package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Writes keys and passwords to files next to the database, which only the user of this process can read. */
@Component
class SecretFiles {

    private final Path directory;

    SecretFiles(@Value("${credential.storage.path:./data/credential.db}") Path database) {
        this.directory = database.toAbsolutePath().normalize().resolveSibling("");
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    /**
     * Writes a secret, replacing an earlier one; readers never see an incomplete file.
     *
     * @param name the path of the file, relative to the directory of the database
     */
    void write(String name, String secret) {
        Path path = path(name);
        try {
            Path parent = Files.createDirectories(path.resolveSibling(""));
            Path written = Files.createTempFile(parent, "secret", ".tmp"); // mode 600
            try {
                Files.writeString(written, secret + System.lineSeparator());
                Files.move(written, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(written);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + path + "; make its directory writable", e);
        }
    }
}
