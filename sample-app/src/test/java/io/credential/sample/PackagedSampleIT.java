package io.credential.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.credential.sample.Api.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator sees who starts the jar in an empty directory, again, and without its keyring. */
class PackagedSampleIT {

    private static final Pattern TOKEN = Pattern.compile("bk_live_[0-9a-f]{16}_[0-9a-f]{32}");

    @Test
    void startWhenFirstThenPrintsWorkingKeyAndLaterNone(@TempDir Path directory) {
        String adminKey;
        String customerKey;
        try (PackagedSample sample = PackagedSample.startIn(directory).awaitStarted()) {
            adminKey = sample.await(TOKEN).group();
            Answer issued = sample.api().with(adminKey).post("/keys", Map.of("ownerId", "customer"));
            assertThat(issued.status()).isEqualTo(201);
            customerKey = issued.text("key");
            assertThat(TOKEN.matcher(sample.text()).results()).hasSize(1);
        }
        assertThat(directory.resolve("data")).isDirectoryContaining("glob:**/credential.db");

        try (PackagedSample sample = PackagedSample.startIn(directory).awaitStarted()) {
            Api admin = sample.api().with(adminKey);
            assertThat(admin.get("/keys?ownerId=customer").status()).isEqualTo(200);
            assertThat(sample.api().with(customerKey).get("/whoami").status()).isEqualTo(200);
            assertThat(admin.get("/keys?ownerId=admin").json().size()).isEqualTo(1);
            sample.stop();
            assertThat(sample.find(TOKEN)).isEmpty();
        }
    }

    @Test
    void startWhenKeyringIsLostThenFailsAndReplacesNothing(@TempDir Path directory) throws IOException {
        try (PackagedSample sample = PackagedSample.startIn(directory)) {
            sample.await(TOKEN); // nothing is sealed before the first key is issued
        }
        Path keyring = directory.resolve("data/credential-keyring.json");
        Path elsewhere = Files.move(keyring, directory.resolve("keyring-elsewhere.json"));

        try (PackagedSample sample = PackagedSample.startIn(directory)) {
            assertThat(sample.awaitEnd()).isNotZero();
            assertThat(sample.text())
                    .contains("APPLICATION FAILED TO START", "credential-keyring.json", "Action:")
                    .doesNotContainPattern(TOKEN);
        }

        assertThat(keyring).doesNotExist();
        Files.move(elsewhere, keyring);
        PackagedSample.startIn(directory).awaitStarted().stop();
    }
}
