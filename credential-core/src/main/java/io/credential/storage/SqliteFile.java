package io.credential.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of a local database; what we create, only its owner may read. */
final class SqliteFile {

    private SqliteFile() {}

    /**
     * Creates the file and the directories above it where they are missing. SQLite gives its journal files the mode of
     * the database file.
     *
     * @return the absolute path
     * @throws IllegalArgumentException if SQLite would take a part of the path for options
     * @throws UncheckedIOException if the file cannot be created
     */
    static Path create(Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        if (absolute.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("The path of a SQLite file must not contain '?': " + absolute);
        }
        try {
            Path directory = absolute.getParent();
            if (directory != null) {
                Files.createDirectories(directory, OwnerOnlyFiles.mode(absolute, OwnerOnlyFiles.DIRECTORY));
            }
            Files.createFile(absolute, OwnerOnlyFiles.mode(absolute, OwnerOnlyFiles.FILE));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isRegularFile(absolute)) {
                throw new UncheckedIOException("Not a regular file: " + e.getFile(), e);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The SQLite file " + absolute + " cannot be created: check that its directory can be written", e);
        }
        return absolute;
    }
}
