package io.credential.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Keys are imported by the command in the documentation, from the executable jar: a smaller test has no such class path. */
class PackagedImportIT {

    private static final String FORM = """
            {"credential": {"api-keys": {"registries": {"live": {"imported-tokens": {"old": {\
            "pattern": "(?<id>[0-9]+)\\\\|(?<secret>[a-z]+)"}}}}}}}""";

    @Test
    void importWhenDryRunThenSaysWhatItWouldImport(@TempDir Path directory) throws IOException {
        Files.writeString(
                directory.resolve("keys.jsonl"),
                "{\"algorithm\":\"sha256\",\"hash\":\"" + "0f".repeat(32)
                        + "\",\"lookupId\":\"17\",\"ownerId\":\"user-42\"}\n");
        String command = Snippet.launch("io.credential.spring.autoconfigure.apikeys.ImportApiKeys");

        try (PackagedSample imported =
                PackagedSample.launchIn(directory, Map.of("SPRING_APPLICATION_JSON", FORM), command)) {
            assertThat(imported.awaitEnd()).as(imported.text()).isZero();
            assertThat(imported.text()).contains("1 keys examined: 1 would be imported, 0 present, 0 refused");
        }
    }
}
