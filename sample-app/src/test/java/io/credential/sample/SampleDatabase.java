package io.credential.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

/** An empty database for the sample, with a directory for its files. Closing removes both. */
final class SampleDatabase implements AutoCloseable {

    private final Path directory;
    private final @Nullable TestDatabase postgres; // null if the database is a SQLite file in the directory

    private SampleDatabase(Path directory, @Nullable TestDatabase postgres) {
        this.directory = directory;
        this.postgres = postgres;
    }

    static SampleDatabase create(DatabaseKind kind) throws IOException {
        return new SampleDatabase(
                Files.createTempDirectory("credential-sample"),
                kind == DatabaseKind.POSTGRESQL ? TestDatabase.create(kind) : null);
    }

    /** Starts the sample as users do: it is told the URL of a PostgreSQL database, and nothing about SQLite. */
    Sample start(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        if (postgres != null) {
            all.put("spring.datasource.url", postgres.jdbcUrl());
        }
        return Sample.startIn(directory, all);
    }

    /** The key that the first start has issued. */
    String adminKey() throws IOException {
        return Files.readString(directory.resolve("first-admin-key")).strip();
    }

    /** The password of the console that the first start has chosen. */
    String operatorPassword() throws IOException {
        return Files.readString(directory.resolve("first-operator-password")).strip();
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
        FileSystemUtils.deleteRecursively(directory);
    }
}
