package io.credential.keyring.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.keyring.KeyringException;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.testing.CapturedLog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyringFileTests {

    private static final String KEY = base64(1, 32);
    private static final String OTHER_KEY = base64(2, 32);
    private static final String INDEX = base64(3, 32);

    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path directory;

    @Test
    void readThenGivesKeysAndIndexKeys() {
        Keyring keyring = read("""
                {"version": 1, "active": "k2", "keys": {"k1": "%s", "k2": "%s"},
                 "index": {"active": "i2", "keys": {"i1": "%s", "i2": "%s"}}}
                """.formatted(KEY, OTHER_KEY, INDEX, base64(4, 32)));

        Keyring expected = Keyring.of(
                "k2", Map.of("k1", secret(1), "k2", secret(2)), "i2", Map.of("i1", secret(3), "i2", secret(4)));
        assertThat(keyring.activeIndexKeyId()).isEqualTo("i2");
        assertThat(keyring.activeKeyId()).isEqualTo("k2");
        assertThat(keyring.checkValues()).isEqualTo(expected.checkValues());
    }

    static List<String> malformed() {
        String keys = "\"keys\": {\"k1\": \"" + KEY + "\"}";
        String index = index("i1", INDEX);
        return List.of(
                "",
                "null",
                "[]",
                "\"" + KEY + "\"",
                KEY,
                "{}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + "}",
                "{" + "\"version\": 1, " + keys + ", " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + index + "}",
                "{" + "\"active\": \"k1\", " + keys + ", " + index + "}",
                "{" + "\"version\": 2, \"active\": \"k1\", " + keys + ", " + index + "}",
                "{" + "\"version\": \"1\", \"active\": \"k1\", " + keys + ", " + index + "}",
                "{" + "\"version\": 1, \"active\": 1, " + keys + ", " + index + "}",
                "{" + "\"version\": 1, \"active\": \"" + KEY + "\", " + keys + ", " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", \"keys\": [\"" + KEY + "\"], " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", \"keys\": {}, " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", \"index\": 1}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", \"index\": \"" + INDEX + "\"}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index("i1", base64(3, 31)) + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index("i1", base64(3, 33)) + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index("i1", "*" + INDEX.substring(1))
                        + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index("i2", INDEX) + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index("i1", KEY) + "}",
                "{" + "\"version\": 1, \"active\": \"K1\", \"keys\": {\"K1\": \"" + KEY + "\"}, " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index + ", \"" + OTHER_KEY + "\": 1}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + keys + ", " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", \"keys\": {\"k1\": \"" + KEY + "\", \"k1\": \"" + OTHER_KEY
                        + "\"}, " + index + "}",
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", " + index + "} " + OTHER_KEY,
                "{" + "\"version\": 1, \"active\": \"k1\", " + keys + ", \"index\": " + INDEX);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void readWhenMalformedThenRefusedWithoutQuotingIt(String json) {
        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> read(json))
                .withMessageStartingWith("The keyring 'a test' is malformed: ")
                .withNoCause()
                .satisfies(e -> assertThat(e.getMessage())
                        .doesNotContain(KEY.substring(0, 8))
                        .doesNotContain(OTHER_KEY.substring(0, 8))
                        .doesNotContain(INDEX.substring(1, 8)));
    }

    @Test
    void readWhenNotJsonThenSaysWhere() {
        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> read("{\n  \"version\": oops"))
                .satisfies(e -> assertThat(e.problem()).contains("line 2"));
    }

    @Test
    void readWhenLongerThanAKeyringCanBeThenRefused() {
        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> read(" ".repeat(70_000)))
                .withMessageContaining("65536 bytes");
    }

    @Test
    void readWhenTheStreamFailsThenSaysWhich() {
        InputStream failing = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("unplugged");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        };

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> KeyringFile.read(failing, "'a test'"))
                .withMessageContaining("'a test'")
                .withMessageContaining("unplugged");
    }

    @Test
    void createThenWritesAFreshKeyringForTheOwnerAlone() throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("new/deeper/keyring.json"), false);

        assertThat(file.exists()).isFalse();
        assertThat(file.create(KeyringJson.generate(random), random)).isTrue();

        assertThat(file.load().activeKeyId()).isEqualTo("k1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(file.path().getParent())))
                .isEqualTo("rwx------");
        try (Stream<Path> beside = Files.list(file.path().getParent())) {
            assertThat(beside).containsExactly(file.path());
        }
    }

    @Test
    void createWhenThereIsAFileThenItStaysAsItIs() throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);
        assertThat(file.create(KeyringJson.generate(random), random)).isTrue();
        byte[] first = Files.readAllBytes(file.path());

        assertThat(file.create(KeyringJson.generate(random), random)).isFalse();

        assertThat(file.path()).hasBinaryContent(first);
        try (Stream<Path> beside = Files.list(directory)) {
            assertThat(beside).containsExactly(file.path());
        }
    }

    @Test
    void createWhenTheDirectoryCannotBeMadeThenSaysWhere() throws IOException {
        Path notADirectory = Files.createFile(directory.resolve("occupied"));
        KeyringFile file = new KeyringFile(notADirectory.resolve("keyring.json"), false);

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> file.create(KeyringJson.generate(random), random))
                .withMessageContaining(file.path().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw-rw-rw-"})
    void loadWhenOthersHaveAccessThenRefusedWithTheRemedy(String permissions) throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);
        file.create(KeyringJson.generate(random), random);
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString(permissions));

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(file::load)
                .satisfies(e -> assertThat(e.remedy()).contains("chmod 600 " + file.path()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r-----", "rw-r-----"})
    void loadWhenTheGroupMayReadAMountedFileThenFine(String permissions) throws IOException {
        createWith(permissions);

        assertThat(mounted(false).load().activeKeyId()).isEqualTo("k1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r-----", "rw-r-----"})
    void loadWhenReadByTheGroupThenRefusedNamingTheProperty(String permissions) throws IOException {
        KeyringFile file = createWith(permissions);

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(file::load)
                .satisfies(e ->
                        assertThat(e.remedy()).contains("chmod 600", "credential.keyring.allow-group-read", "fsGroup"));
    }

    @Test
    void loadWhenReadByTheGroupButWritableThenRefused() throws IOException {
        createWith("rw-r-----");

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> mounted(true).load())
                .withMessageContainingAll("writable by this process", "credential.keyring.allow-group-read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r--r--", "rw-rw----", "r--r-x---", "r-----r--"})
    void loadWhenMoreThanReadByTheGroupThenAlwaysRefused(String permissions) throws IOException {
        createWith(permissions);

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(() -> mounted(false).load())
                .withMessageContaining("accessible to users other than its owner")
                .withMessageNotContaining("allow-group-read");
    }

    @ParameterizedTest
    @CsvSource({"rwxrwx---, 1", "rwx---rwx, 1", "rwxr-xr-x, 0", "rwx------, 0"})
    void loadWhenOthersCouldReplaceItThenWarned(String permissions, int warnings) throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);
        file.create(KeyringJson.generate(random), random);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
        try (CapturedLog logged = CapturedLog.of(KeyringFile.class)) {
            file.load();

            assertThat(logged.lines())
                    .hasSize(warnings)
                    .allSatisfy(line -> assertThat(line).contains(directory.toString(), "chmod go-w"));
        }
    }

    @Test
    void loadWhenReadOnlyForItsOwnerThenFine() throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);
        file.create(KeyringJson.generate(random), random);
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("r--------"));

        assertThat(file.load().activeKeyId()).isEqualTo("k1");
    }

    @Test
    void loadWhenMissingThenSaysWhere() {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);

        assertThatExceptionOfType(KeyringException.class)
                .isThrownBy(file::load)
                .withMessageContaining(file.path().toString());
    }

    private KeyringFile createWith(String permissions) throws IOException {
        KeyringFile file = new KeyringFile(directory.resolve("keyring.json"), false);
        file.create(KeyringJson.generate(random), random);
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString(permissions));
        return file;
    }

    /** The tests may run as root, who can write every file that is not mounted read-only. */
    private KeyringFile mounted(boolean writable) {
        return new KeyringFile(directory.resolve("keyring.json"), true, path -> writable);
    }

    private static Keyring read(String json) {
        return KeyringFile.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "'a test'");
    }

    private static String index(String active, String key) {
        return "\"index\": {\"active\": \"" + active + "\", \"keys\": {\"i1\": \"" + key + "\"}}";
    }

    private static SecretBytes secret(int value) {
        return SecretBytes.copyOf(Base64.getDecoder().decode(base64(value, 32)));
    }

    /** Distinct bytes whose base64 has no run that an innocent message could hold. */
    private static String base64(int value, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (value * 71 + i * 37);
        }
        return Base64.getEncoder().encodeToString(bytes);
    }
}
