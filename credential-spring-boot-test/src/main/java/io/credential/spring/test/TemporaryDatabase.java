package io.credential.spring.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.util.FileSystemUtils;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.storage.SchemaMode;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.storage.internal.SchemaMigrator;
import io.credential.storage.internal.SchemaScripts;
import io.credential.storage.internal.sqlite.SqliteDataSource;

/** A SQLite file in a temporary directory, with the current schema. Closing deletes it. Thread-safe. */
final class TemporaryDatabase implements AutoCloseable {

    private final Path directory;
    private final Path file;
    private final HikariDataSource dataSource;

    TemporaryDatabase() {
        try {
            this.directory = Files.createTempDirectory("credential-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.file = directory.resolve("credential.db");
        try {
            this.dataSource = SqliteDataSource.pooled(file);
        } catch (RuntimeException e) {
            delete();
            throw e;
        }
    }

    /** Returns the database, with the tables of these scripts. */
    CredentialDatabase migrated(SchemaScripts scripts) {
        CredentialDatabase database = CredentialDatabase.of(dataSource);
        new SchemaMigrator(database, scripts).run(SchemaMode.MIGRATE);
        return database;
    }

    Path file() {
        return file;
    }

    HikariDataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        dataSource.close();
        delete();
    }

    private void delete() {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
