package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sample as it starts without any set-up: on a local SQLite file. */
class SqliteSampleIT extends SampleContract {

    @Override
    Map<String, String> database(Path directory) {
        return Map.of(
                "credential.storage.path", directory.resolve("credential.db").toString());
    }

    /** The database file with its write-ahead log and whatever else stands beside it under its name. */
    @Override
    String everythingStored(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> parts = files.filter(
                            file -> file.getFileName().toString().startsWith("credential.db"))
                    .toList();
            return parts.stream().map(SqliteSampleIT::bytes).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bytes(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
