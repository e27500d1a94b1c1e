package io.credential.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** Copies the files of a PostgreSQL server that is in backup mode, except those that a base backup leaves out. */
final class DataDirectory extends SimpleFileVisitor<Path> {

    private static final Set<String> ONLY_DIRECTORIES = Set.of(
            "pg_dynshmem",
            "pg_notify",
            "pg_replslot",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans",
            "pg_wal");

    /** Those of the running server and of what started it. */
    private static final Set<String> LEFT_OUT =
            Set.of("postmaster.pid", "postmaster.opts", "epg-lock", "fault-run.log");

    private final Path source;
    private final Path target;

    private DataDirectory(Path source, Path target) {
        this.source = source;
        this.target = target;
    }

    /** @param target an empty directory that only its owner can access */
    static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(source, new DataDirectory(source, target));
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        Path relative = source.relativize(directory);
        if (!directory.equals(source)) {
            Files.copy(directory, target.resolve(relative), StandardCopyOption.COPY_ATTRIBUTES);
        }
        return ONLY_DIRECTORIES.contains(relative.toString()) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Path relative = source.relativize(file);
        if (!LEFT_OUT.contains(relative.toString())) {
            try {
                Files.copy(file, target.resolve(relative), StandardCopyOption.COPY_ATTRIBUTES);
            } catch (NoSuchFileException e) {
                // The server has deleted it meanwhile, and repeats that when it replays its log.
            }
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }
}
