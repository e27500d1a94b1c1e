package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

import io.credential.storage.sqlite.SqliteDataSource;

/** A SQLite file in a temporary directory. */
final class SqliteTestDatabase extends TestDatabase {

    private final Path directory;

    private SqliteTestDatabase(Path directory, Path file) {
        super(DatabaseKind.SQLITE, "jdbc:sqlite:" + file, SqliteDataSource.pooled(file));
        this.directory = directory;
    }

    static SqliteTestDatabase create() {
        try {
            Path directory = Files.createTempDirectory("credential-test");
            return new SqliteTestDatabase(directory, directory.resolve("credential.db"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void remove() {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
