package io.credential.secret.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Creates files and directories that only their owner can access. Without POSIX permissions, the defaults of the file
 * system apply.
 */
public final class OwnerOnlyFiles {

    private static final String DIRECTORY = "rwx------";
    private static final String FILE = "rw-------";

    private static final Set<PosixFilePermission> OTHERS = PosixFilePermissions.fromString("---rwxrwx");
    private static final Set<PosixFilePermission> OTHERS_BUT_READ_BY_GROUP =
            PosixFilePermissions.fromString("----wxrwx");
    private static final Set<PosixFilePermission> WRITE_BY_OTHERS = PosixFilePermissions.fromString("----w--w-");

    private OwnerOnlyFiles() {}

    /** Whether anyone but the owner may access a file. */
    public static boolean isOpenToOthers(Path file) throws IOException {
        return grantsAnyOf(OTHERS, file);
    }

    /** Whether a file has permissions for others beyond read access for its group. */
    public static boolean isOpenBeyondReadByGroup(Path file) throws IOException {
        return grantsAnyOf(OTHERS_BUT_READ_BY_GROUP, file);
    }

    /** Whether anyone but the owner may replace a file in this directory. */
    public static boolean isWritableByOthers(Path directory) throws IOException {
        return grantsAnyOf(WRITE_BY_OTHERS, directory);
    }

    private static boolean grantsAnyOf(Set<PosixFilePermission> permissions, Path path) throws IOException {
        return isPosix(path) && !Collections.disjoint(permissions, Files.getPosixFilePermissions(path));
    }

    /**
     * Removes the permissions of everyone but the owner.
     *
     * @return whether any were removed
     * @throws IOException if they cannot be removed, because the file belongs to another user
     */
    public static boolean restrictToOwner(Path file) throws IOException {
        boolean open = isOpenToOthers(file);
        if (open) {
            Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(file));
            permissions.removeAll(OTHERS);
            Files.setPosixFilePermissions(file, permissions);
        }
        return open;
    }

    /**
     * Creates a file with its contents, which are on the disk when this returns. Other processes and a crash see the
     * whole file or none.
     *
     * @param temporary a path beside the file that nobody else uses
     * @return false if the file already exists; it is left unchanged
     * @throws UnsupportedOperationException if the file system has no hard links
     */
    public static boolean create(Path file, Path temporary, byte[] contents) throws IOException {
        Path directory = file.toAbsolutePath().normalize().getParent();
        if (directory == null) {
            throw new IOException("The path does not name a file: " + file);
        }
        Path existing = firstExisting(directory);
        createDirectories(directory);
        try {
            write(temporary, contents);
            if (!link(file, temporary)) {
                return false;
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
        for (Path changed = directory; changed != null; changed = changed.getParent()) {
            syncDirectory(changed);
            if (changed.equals(existing)) {
                break;
            }
        }
        return true;
    }

    /** A link fails when its name is taken, where a rename would replace what is there. */
    private static boolean link(Path file, Path existing) throws IOException {
        try {
            Files.createLink(file, existing);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static void write(Path file, byte[] contents) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, options, mode(file, FILE))) {
            ByteBuffer buffer = ByteBuffer.wrap(contents);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
    }

    private static void syncDirectory(Path directory) throws IOException {
        if (isPosix(directory)) {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static @Nullable Path firstExisting(Path directory) {
        Path path = directory;
        while (path != null && !Files.exists(path)) {
            path = path.getParent();
        }
        return path;
    }

    /** Creates a directory and its parents if they are missing. */
    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, mode(directory, DIRECTORY));
    }

    /**
     * Creates an empty file.
     *
     * @throws FileAlreadyExistsException if there is a file or directory of this name
     */
    public static void createEmpty(Path file) throws IOException {
        Files.createFile(file, mode(file, FILE));
    }

    /** Returns the attributes for a new file or directory; empty without POSIX permissions. */
    private static FileAttribute<?>[] mode(Path path, String permissions) {
        return isPosix(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
