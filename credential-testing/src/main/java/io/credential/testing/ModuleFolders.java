package io.credential.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The folders of the modules, for tests that compare pages with sources; a test runs in the folder of its module. */
public final class ModuleFolders {

    private static final List<Path> MODULES = modules();

    private ModuleFolders() {}

    /** Returns this folder of each module that has it. */
    public static List<Path> all(String folder) {
        return MODULES.stream()
                .map(module -> module.resolve(folder))
                .filter(Files::isDirectory)
                .toList();
    }

    private static List<Path> modules() {
        try (Stream<Path> folders = Files.list(Path.of(".."))) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
