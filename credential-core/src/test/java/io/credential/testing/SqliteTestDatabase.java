package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.sqlite.SqliteDataSource;

/** A SQLite file, by default in a temporary directory. */
final class SqliteTestDatabase extends TestDatabase {

    private final Runnable remove;

    SqliteTestDatabase(Path file, HikariDataSource dataSource, Runnable remove) {
        super(DatabaseKind.SQLITE, "jdbc:sqlite:" + file, dataSource);
        this.remove = remove;
    }

    static SqliteTestDatabase create() {
        try {
            Path directory = Files.createTempDirectory("credential-test");
            Path file = directory.resolve("credential.db");
            return new SqliteTestDatabase(file, SqliteDataSource.pooled(file), () -> delete(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void remove() {
        remove.run();
    }

    private static void delete(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
