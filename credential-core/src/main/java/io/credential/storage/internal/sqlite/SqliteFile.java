package io.credential.storage.internal.sqlite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.credential.secret.internal.OwnerOnlyFiles;

/** Creates the file of a local database, which only its owner may access. */
final class SqliteFile {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);

    /** The suffixes of files beside it that contain parts of its data. SQLite gives new ones the mode of the file. */
    private static final List<String> COMPANIONS = List.of("-wal", "-shm", "-journal");

    private SqliteFile() {}

    /**
     * Creates the file and its parent directories if they are missing. If the file exists, the permissions of others
     * are removed.
     *
     * @return the absolute path
     * @throws IllegalArgumentException if SQLite would take a part of the path for options
     * @throws UncheckedIOException if the file cannot be created, or the permissions of others cannot be removed
     */
    static Path create(Path file) {
        Path absolute = requireNoOptions(file.toAbsolutePath().normalize());
        try {
            Path directory = absolute.getParent();
            if (directory != null) {
                OwnerOnlyFiles.createDirectories(directory);
            }
            OwnerOnlyFiles.createEmpty(absolute);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(absolute)) {
                throw new UncheckedIOException("Not a regular file: " + e.getFile(), e);
            }
            closeToOthers(absolute);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The SQLite file " + absolute + " cannot be created: check that its directory can be written", e);
        }
        return absolute;
    }

    static Path requireNoOptions(Path absolute) {
        if (absolute.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("The path of a SQLite file must not contain '?': " + absolute);
        }
        return absolute;
    }

    private static void closeToOthers(Path file) {
        closeOne(file);
        for (String companion : COMPANIONS) {
            Path path = file.resolveSibling(file.getFileName() + companion);
            if (Files.exists(path)) {
                closeOne(path);
            }
        }
    }

    private static void closeOne(Path file) {
        try {
            if (OwnerOnlyFiles.restrictToOwner(file)) {
                LOG.warn("{} was accessible to users other than its owner; their permissions were removed", file);
            }
        } catch (NoSuchFileException gone) {
            LOG.debug("{} was removed by the process that had the database open", file);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The SQLite file " + file
                            + " is accessible to users other than its owner, and this process may not change"
                            + " that: run `chmod 600 " + file + "` as its owner",
                    e);
        }
    }
}
