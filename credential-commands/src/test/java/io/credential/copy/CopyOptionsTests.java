package io.credential.copy;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.webhook.delivery.internal.queue.DispatcherTables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CopyOptionsTests {

    private static final String TO = "jdbc:postgresql://host/db";

    @Test
    void parseWhenOnlyDatabasesThenDefaults() {
        CopyOptions options = parse("--from", "a.db", "--to", TO);

        assertThat(options.from()).isEqualTo("a.db");
        assertThat(options.to()).isEqualTo(TO);
        assertThat(options.user()).isNull();
        assertThat(options.password()).isNull();
        assertThat(options.keyring()).isEqualTo(new KeyringLocation("file:./data/credential-keyring.json", false));
        assertThat(options.mustHaveDispatchers()).isFalse();
        assertThat(options.dispatchers())
                .extracting(DispatcherTables::deliveries)
                .containsExactly("_credential_webhook_deliveries");
    }

    @Test
    void parseWhenEnvironmentIsSetThenUsed() {
        CopyOptions options = CopyOptions.parse(
                List.of("--from", "a.db", "--to", TO, "--user", "app"),
                Map.of(
                        "PGPASSWORD", "hunter2",
                        "CREDENTIAL_KEYRING_LOCATION", "base64:abcd",
                        "CREDENTIAL_KEYRING_ALLOWGROUPREAD", "true"));

        assertThat(options.user()).isEqualTo("app");
        assertThat(options.password()).isEqualTo("hunter2");
        assertThat(options.keyring()).isEqualTo(new KeyringLocation("base64:abcd", true));
        assertThat(options.keyring().toString()).doesNotContain("abcd");
        assertThat(options.toString()).doesNotContain("hunter2", "abcd");
    }

    @Test
    void targetWhenUrlHasParametersThenLeftOut() {
        assertThat(parse("--from", "a.db", "--to", TO + "?user=app&ssl=true").target())
                .isEqualTo(TO);
        assertThat(parse("--from", "a.db", "--to", TO).target()).isEqualTo(TO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://host/db?password=hunter2",
                "jdbc:postgresql://host/db?user=app&password=hunter2",
                "jdbc:postgresql://host/db?sslpassword=hunter2",
                "jdbc:postgresql://app:hunter2@host/db"
            })
    void parseWhenUrlHasPasswordThenRejected(String url) {
        assertRejected("PGPASSWORD", "--from", "a.db", "--to", url);
    }

    @Test
    void parseWhenKeyringIsInArgumentThenRejected() {
        assertRejected("CREDENTIAL_KEYRING_LOCATION", "--from", "a.db", "--to", TO, "--keyring", "base64:hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "--to must be a JDBC URL, --to jdbc:sqlite:b.db",
        "--from needs a value, --from --to",
        "--user needs a value, --user",
        "not a known option: --unknown, --unknown x",
        "not a known option., hunter2",
        "--deliveries-table, --endpoints-table a_endpoints"
    })
    void parseWhenArgumentIsWrongThenRejected(String message, String further) {
        assertRejected(message, ("--from a.db --to " + TO + " " + further).split(" "));
    }

    @Test
    void parseWhenDatabaseIsMissingThenRejected() {
        assertRejected("--from and --to are required", "--from", "a.db");
        assertRejected("--from and --to are required", "--to", TO);
    }

    private static CopyOptions parse(String... arguments) {
        return CopyOptions.parse(List.of(arguments), Map.of());
    }

    private static void assertRejected(String message, String... arguments) {
        assertThatExceptionOfType(CopyException.class)
                .isThrownBy(() -> parse(arguments))
                .withMessageContaining(message)
                .withMessageContaining("--help")
                .withMessageNotContaining("hunter2");
    }
}
