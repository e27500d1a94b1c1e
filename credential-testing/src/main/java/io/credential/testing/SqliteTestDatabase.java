package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.springframework.util.FileSystemUtils;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.sqlite.SqliteDataSource;

/** A SQLite file, by default in a temporary directory. */
final class SqliteTestDatabase extends TestDatabase {

    /** Migrated files, which are not used themselves. */
    private static final Map<List<SchemaScripts>, Path> TEMPLATES = new ConcurrentHashMap<>();

    private final Path file;
    private final Supplier<HikariDataSource> open;
    private final Runnable remove;

    private SqliteTestDatabase(Path file, Supplier<HikariDataSource> open, Runnable remove) {
        super(DatabaseKind.SQLITE, "jdbc:sqlite:" + file);
        this.file = file;
        this.open = open;
        this.remove = remove;
    }

    static SqliteTestDatabase opened(Path file, HikariDataSource dataSource, Runnable remove) {
        SqliteTestDatabase database = new SqliteTestDatabase(file, () -> dataSource, remove);
        var unused = database.dataSource();
        return database;
    }

    static SqliteTestDatabase create() {
        try {
            Path directory = Files.createTempDirectory("credential-test");
            Path file = directory.resolve("credential.db");
            return new SqliteTestDatabase(file, () -> SqliteDataSource.pooled(file), () -> delete(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    HikariDataSource open() {
        return open.get();
    }

    @Override
    HikariDataSource openMigrated(List<SchemaScripts> scripts) {
        Path template = TEMPLATES.computeIfAbsent(scripts, SqliteTestDatabase::template);
        try {
            Files.copy(template, file, StandardCopyOption.COPY_ATTRIBUTES); // keeps the permissions
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open();
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

    private static Path template(List<SchemaScripts> scripts) {
        SqliteTestDatabase template = SqliteTestDatabase.create();
        try (HikariDataSource empty = template.open()) {
            scripts.forEach(needed -> run(needed, empty));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(template::remove, "remove-template"));
        return template.file;
    }
}
