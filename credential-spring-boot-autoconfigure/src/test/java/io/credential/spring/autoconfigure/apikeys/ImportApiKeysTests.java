package io.credential.spring.autoconfigure.apikeys;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.ratelimit.Quota;
import io.credential.ratelimit.RateLimit;
import io.credential.secret.internal.FieldBytes;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.internal.schedule.CredentialSchedule;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The command imports into the database of the application's configuration. */
class ImportApiKeysTests {

    private static final String FORM = "credential.api-keys.registries.live.imported-tokens.old.";
    private static final String PATTERN = FORM + "pattern";
    private static final String LOOKUP_HASH = FORM + "lookup-hash";
    private static final String PEPPER = FORM + "pepper";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Path directory;
    private final Map<String, Object> properties = new HashMap<>();

    ImportApiKeysTests(@TempDir Path directory) {
        this.directory = directory;
        properties.put("spring.config.location", "optional:classpath:/no-such-directory/");
        properties.put(
                "credential.storage.path", directory.resolve("credential.db").toString());
        properties.put("credential.keyring.location", "file:" + directory.resolve("keyring.json"));
        properties.put("credential.webhook.dispatcher.enabled", "false");
        properties.put(PATTERN, "(?<id>[0-9]+)\\|(?<secret>[a-z0-9-]+)");
    }

    @Test
    void importWhenFileIsValidThenTokensVerify() throws IOException {
        Path file = file("""
                {"algorithm":"sha256","hash":"%s","lookupId":"17","ownerId":"user-42","name":"CI","scopes":["orders:read"],\
                "metadata":{"team":"a"},"createdAt":"2020-01-02T03:04:05Z","rateLimit":{"limit":5,"windowSeconds":60},\
                "quota":{"limit":9,"period":"day","zone":"Europe/Berlin"}}
                """.formatted(sha256("secret-1")));

        assertThat(run("--file", file.toString(), "--dry-run")).isZero();
        assertThat(run("--file", file.toString())).isZero();
        assertThat(run("--file", file.toString(), "--registry", "live")).isZero();

        assertThat(out.toString(UTF_8).lines())
                .containsExactly(
                        "1 keys examined: 1 would be imported, 0 present, 0 refused",
                        "1 keys examined: 1 imported, 0 present, 0 refused",
                        "1 keys examined: 0 imported, 1 present, 0 refused");
        assertThat(err.toString(UTF_8)).isEmpty();
        application().run(context -> {
            ApiKey key =
                    context.getBean(ApiKeyRegistry.class).verify("17|secret-1").orElseThrow();
            assertThat(key.imported()).isTrue();
            assertThat(key.name()).isEqualTo("CI");
            assertThat(key.scopes()).containsExactly("orders:read");
            assertThat(key.metadata()).isEqualTo(Map.of("team", "a"));
            assertThat(key.rateLimit()).isEqualTo(new RateLimit(5, Duration.ofSeconds(60)));
            assertThat(key.quota()).isEqualTo(new Quota(9, Quota.Period.DAY, ZoneId.of("Europe/Berlin")));
        });
    }

    @Test
    void importWhenLookedUpByPepperedHashThenVerifies() throws Exception {
        properties.put(PATTERN, "sk_[a-z0-9]{32}");
        properties.put(LOOKUP_HASH, "hmac-sha256");
        properties.put(PEPPER, "base64:cGVwcGVy");
        String token = "sk_" + "a1".repeat(16);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("pepper".getBytes(UTF_8), "HmacSHA256"));
        Path file = file("""
                {"algorithm":"hmac-sha256","hash":"%s","ownerId":"user-42"}
                """.formatted(HexFormat.of().formatHex(mac.doFinal(token.getBytes(UTF_8)))));

        assertThat(run("--file", file.toString())).isZero();

        application().run(context -> {
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            assertThat(registry.verify(token)).isPresent();
            assertThat(registry.verify(token.replace('1', '2'))).isEmpty();
        });
    }

    @Test
    void importWhenLinesAreWrongThenNothingIsImported() throws IOException {
        Path file = file("""
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42","lookupId":"17"}
                {"algorithm":"md5","hash":"%1$s","ownerId":"user-42"}
                {"algorithm":"sha256","hash":"c0ffee","ownerId":"user-42"}
                {"algorithm":"sha256","hash":"%1$s"}
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42","createdAt":"yesterday"}
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42","owner":"user-42"}
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42","quota":{"limit":9,"period":"week"}}
                not JSON
                """.formatted(sha256("secret-1")));

        assertThat(run("--file", file.toString())).isEqualTo(1);

        assertThat(err.toString(UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Line 2: algorithm must be one of: sha256"),
                        line -> assertThat(line).startsWith("Line 3: hash: ").doesNotContain("c0ffee"),
                        line -> assertThat(line).startsWith("Line 4: ownerId"),
                        line -> assertThat(line).startsWith("Line 5: createdAt"),
                        line -> assertThat(line).startsWith("Line 6: Unknown member: owner"),
                        line -> assertThat(line).startsWith("Line 7: quota"),
                        line -> assertThat(line).startsWith("Line 8: "),
                        line -> assertThat(line).startsWith("Nothing was imported."));
        assertThat(directory.resolve("credential.db")).doesNotExist();
    }

    @Test
    void importWhenTokensHaveNoFormThenFails() throws IOException {
        properties.remove(PATTERN);
        properties.put("credential.api-keys.registries.live.prefix", "bk");
        Path file = file("""
                {"algorithm":"sha256","hash":"%s","ownerId":"user-42","lookupId":"17"}
                """.formatted(sha256("secret-1")));

        assertThat(run("--file", file.toString())).isEqualTo(1);

        assertThat(err.toString(UTF_8)).contains("credential.api-keys.registries.live.imported-tokens");
    }

    @Test
    void importWhenALaterKeyHasNoFormThenNothingIsImported() throws IOException {
        Path file = file(("""
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42","lookupId":"17"}
                """.repeat(300) + """
                {"algorithm":"sha256","hash":"%1$s","ownerId":"user-42"}
                """).formatted(sha256("secret-1")));

        assertThat(run("--file", file.toString())).isEqualTo(1);

        assertThat(err.toString(UTF_8)).contains("Key 301: ").contains("lookup-hash: sha256");
        application()
                .run(context -> assertThat(context.getBean(ApiKeyRegistry.class).listForOwner("user-42"))
                        .isEmpty());
    }

    @Test
    void importWhenArgumentsAreWrongThenFails() throws IOException {
        assertThat(run()).isEqualTo(1);
        assertThat(run("--file")).isEqualTo(1);
        assertThat(run("--files", "x")).isEqualTo(1);
        assertThat(run("--file", directory.resolve("missing").toString())).isEqualTo(1);
        assertThat(run("--file", file("").toString(), "--registry", "other")).isEqualTo(1);
        assertThat(run("--help")).isZero();

        assertThat(err.toString(UTF_8).lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("--file is required"),
                        line -> assertThat(line).startsWith("--file needs a value"),
                        line -> assertThat(line).startsWith("Unknown argument --files"),
                        line -> assertThat(line).startsWith("The file cannot be read: "),
                        line -> assertThat(line).contains("No registry has the namespace 'other'"));
        assertThat(out.toString(UTF_8)).startsWith("Imports API keys");
    }

    @Test
    void applicationThenJobsDoNotRun() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ImportApiKeys.Application.class)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run()) {
            assertThat(context.getBean(CredentialSchedule.class).isRunning()).isFalse();
        }
    }

    private ApplicationContextRunner application() {
        return StarterRunner.bare()
                .withPropertyValues(properties.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toArray(String[]::new));
    }

    private int run(String... arguments) {
        return new ImportApiKeys(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), properties)
                .run(List.of(arguments));
    }

    private Path file(String lines) throws IOException {
        return Files.writeString(directory.resolve("keys.jsonl"), lines);
    }

    private static String sha256(String text) {
        return FieldBytes.sha256(text.getBytes(UTF_8), text.length());
    }
}
