package io.credential.sample;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules for secret scanners, printed by the command in the documentation. */
class PackagedScannerRulesIT {

    @Test
    void printWhenGitleaksThenRulesOfTheConfiguredRegistry(@TempDir Path directory) {
        String command = Snippet.launch("io.credential.spring.autoconfigure.apikeys.PrintScannerRules")
                .replace(" > .gitleaks.toml", "");

        try (PackagedSample print = PackagedSample.launchIn(directory, Map.of(), command)) {
            assertThat(print.awaitEnd()).as(print.text()).isZero();
            assertThat(print.text().lines().filter(line -> !line.startsWith("WARNING: "))) // of the JVM
                    .startsWith("[extend]", "useDefault = true")
                    .contains("id = \"credential-api-key-live\"", "keywords = [\"bk_live_\"]");
        }
        assertThat(directory).isEmptyDirectory();
    }
}
