package io.credential.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import tools.jackson.databind.JsonNode;

import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** Who takes the first admin key out of use must not find that a restart has handed out another. */
@ExtendWith(OutputCaptureExtension.class)
class FirstAdminKeyIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_([0-9a-f]{16})_[0-9a-f]{32}");

    @Test
    void keyThenIsWrittenToPrivateFileAndExpires(@TempDir Path directory, CapturedOutput output) throws IOException {
        Path state = directory.resolve("state");
        Map<String, String> properties = Map.of(
                "credential.storage.path",
                state.resolve("credential.db").toString(),
                "credential.keyring.location",
                "file:" + directory.resolve("keyring.json"));
        try (Sample sample = Sample.start(properties)) {
            Matcher printed = TOKEN.matcher(output.getOut());
            assertThat(printed.find()).isTrue();
            Path file = state.resolve("first-admin-key");
            assertThat(file).hasContent(printed.group());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");

            JsonNode key = sample.api().with(printed.group()).get("/whoami").json();

            assertThat(key.required("expiresAt").asLong()
                            - key.required("createdAt").asLong())
                    .isBetween(
                            Duration.ofDays(30).minusMinutes(10).toMillis(),
                            Duration.ofDays(30).plusMinutes(10).toMillis());
            assertThat(output.getAll().split(Pattern.quote(printed.group()), -1))
                    .as("printed once")
                    .hasSize(2);
        }
    }

    @Test
    void restartWhenKeyWasRevokedAndPurgedThenPrintsNone(@TempDir Path directory, CapturedOutput output) {
        Map<String, String> properties = Map.of(
                "credential.storage.path",
                directory.resolve("credential.db").toString(),
                "credential.keyring.location",
                "file:" + directory.resolve("keyring.json"),
                "credential.api-keys.registries.live.purge-after",
                "0s");
        String successor;
        try (Sample sample = Sample.start(properties)) {
            Matcher printed = TOKEN.matcher(output.getOut());
            assertThat(printed.find()).isTrue();
            Api first = sample.api().with(printed.group());
            successor = first.post("/keys", Map.of("ownerId", "operator", "scopes", List.of("keys:admin")))
                    .text("key");
            Api operator = sample.api().with(successor);
            String id = printed.group(1);
            assertThat(operator.delete("/keys/" + id).status()).isEqualTo(204);
            Patience.untilAsserted(() -> {
                operator.post("/keys/purge");
                assertThat(operator.get("/keys/" + id).status()).isEqualTo(404);
            });
        }
        int before = output.getOut().length();

        try (Sample restarted = Sample.start(properties)) {
            assertThat(output.getOut().substring(before)).doesNotContain("Admin key");
            assertThat(restarted.api().with(successor).get("/whoami").status()).isEqualTo(200);
        }
    }
}
