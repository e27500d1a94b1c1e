package io.credential.storage.internal.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.testing.InParallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SqliteFileTests {

    @TempDir
    private Path directory;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void pooledWhenFileIsNewThenOnlyItsOwnerMayRead() throws IOException {
        Path file = directory.resolve("data/nested/credential.db");

        try (HikariDataSource dataSource = SqliteDataSource.pooled(file);
                Stream<Path> files = Files.list(writeTo(dataSource, file))) {
            assertThat(files)
                    .hasSizeGreaterThan(1) // the write-ahead log is there too
                    .allSatisfy(path -> assertThat(permissions(path)).isEqualTo("rw-------"));
        }

        assertThat(permissions(directory.resolve("data"))).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("data/nested"))).isEqualTo("rwx------");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw----", "rw-r--r--", "rw-------"})
    @DisabledOnOs(OS.WINDOWS)
    void pooledWhenFileExistsThenItAndLogAreClosedToOthers(String mode) throws IOException {
        Path file = Files.createFile(directory.resolve("credential.db"));
        Path log = Files.createFile(directory.resolve("credential.db-wal"));
        for (Path path : List.of(file, log)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-x---"));

        try (HikariDataSource dataSource = SqliteDataSource.pooled(file)) {
            writeTo(dataSource, file);
            assertThat(permissions(log)).isEqualTo("rw-------");
        }

        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(directory)).as("not ours to change").isEqualTo("rwxr-x---");
    }

    @Test
    void pooledWhenReopenedThenRowsAreThere() {
        Path file = directory.resolve("credential.db");
        try (HikariDataSource dataSource = SqliteDataSource.pooled(file)) {
            writeTo(dataSource, file);
        }

        try (HikariDataSource dataSource = SqliteDataSource.pooled(file)) {
            assertThat(new JdbcTemplate(dataSource).queryForObject("select count(*) from t", Integer.class))
                    .isOne();
        }
    }

    @RepeatedTest(20)
    void pooledWhenFileIsNewThenSeveralMayOpenAtOnce() {
        Path file = directory.resolve("data/credential.db");

        List<String> modes = InParallel.run(4, () -> {
            try (HikariDataSource dataSource = SqliteDataSource.pooled(file)) {
                return new JdbcTemplate(dataSource).queryForObject("pragma journal_mode", String.class);
            }
        });

        assertThat(modes).containsOnly("wal");
    }

    @Test
    void pooledWhenPathLooksLikeOptionsThenRefused() {
        Path file = directory.resolve("credential.db?journal_mode=off");

        assertThatThrownBy(() -> SqliteDataSource.pooled(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'?'");
    }

    @Test
    void pooledWhenFileIsADirectoryThenRefused() {
        assertThatThrownBy(() -> SqliteDataSource.pooled(directory))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(directory.toString());
    }

    @Test
    void pooledWhenDirectoryIsAFileThenRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("data"));

        assertThatThrownBy(() -> SqliteDataSource.pooled(file.resolve("credential.db")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void pooledWhenFileIsNoDatabaseThenRefusedAndLeftAlone() throws IOException {
        Path file = Files.writeString(directory.resolve("credential.db"), "certainly no database, but some text");

        assertThatThrownBy(() -> SqliteDataSource.pooled(file)).hasRootCauseInstanceOf(SQLException.class);
        assertThat(file).hasContent("certainly no database, but some text");
    }

    /** Returns the directory of the file. */
    private static Path writeTo(HikariDataSource dataSource, Path file) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table t (x integer)");
        jdbc.update("insert into t values (1)");
        return file.resolveSibling("");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
