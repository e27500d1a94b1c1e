package io.credential.sample;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.sample.Api.Answer;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

/** What operators can do through Actuator, by the scopes of their keys. */
@TestInstance(Lifecycle.PER_CLASS)
class ActuatorIT {

    private Path directory;
    private Sample sample;
    private Api reader;
    private Api writer;

    @BeforeAll
    void start(@TempDir Path directory) {
        this.directory = directory;
        sample = Sample.startIn(directory, Map.of());
        reader = sample.api().with(issue("actuator:read").key());
        writer = sample.api().with(issue("actuator:read", "actuator:write").key());
    }

    @AfterAll
    void stop() {
        sample.close();
    }

    @Test
    void firstAdminKeyThenReadsAndChanges() throws Exception {
        Api admin = sample.api()
                .with(Files.readString(directory.resolve("first-admin-key")).strip());
        IssuedApiKey key = issue("orders:read");

        assertThat(admin.get("/actuator/credentials").status()).isEqualTo(200);
        assertThat(admin.post("/actuator/credentials/live/" + key.id() + "/disable")
                        .status())
                .isEqualTo(200);
        assertThat(sample.api().with(key.key()).get("/whoami").status()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"credentials/live/0123456789abcdef/revoke", "webhooks/endpoints/shop/pause"})
    void changeThenNeedsTheScope(String path) {
        assertThat(sample.api().post("/actuator/" + path).status()).isEqualTo(401);
        assertThat(reader.post("/actuator/" + path).status()).isEqualTo(403);
        assertThat(writer.post("/actuator/" + path))
                .returns(404, Answer::status)
                .satisfies(answer -> assertThat(answer.text("code")).endsWith("/not-found"));
    }

    @Test
    void rotateThenTheTokenIsInAFileOnly() throws Exception {
        IssuedApiKey key = issue("orders:read");

        Answer rotated = writer.post("/actuator/credentials/live/" + key.id() + "/rotate");

        Path file = directory.resolve("rotated-keys").resolve(key.id());
        String token = Files.readString(file).strip();
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.body()).contains("secondaryExpiresAt").doesNotContain(token);
        assertThat(Files.getPosixFilePermissions(file)).containsExactlyInAnyOrder(OWNER_READ, OWNER_WRITE);
        assertThat(sample.api().with(token).get("/whoami").status()).isEqualTo(200);
    }

    private IssuedApiKey issue(String... scopes) {
        return sample.bean(ApiKeyRegistry.class)
                .issue(IssueRequest.forOwner("operator").scopes(scopes));
    }
}
