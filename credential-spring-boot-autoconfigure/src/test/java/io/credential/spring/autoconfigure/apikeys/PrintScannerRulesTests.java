package io.credential.spring.autoconfigure.apikeys;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.yaml.snakeyaml.Yaml;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.leak.ScannerRules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class PrintScannerRulesTests {

    private static final String REGISTRIES = "credential.api-keys.registries.";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(Map<String, Object> configuration, String... arguments) {
        StandardEnvironment environment = new StandardEnvironment();
        Map<String, Object> properties = new HashMap<>(configuration);
        properties.put("spring.config.location", "optional:classpath:/no-such-directory/");
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return new PrintScannerRules(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), environment)
                .run(List.of(arguments));
    }

    @Test
    void printWhenGitleaksThenRulesOfTheRegistries() {
        assertThat(run(Map.of(REGISTRIES + "live.prefix", "shop", REGISTRIES + "test.id-bytes", "16"), "gitleaks"))
                .isZero();

        assertThat(out.toString(UTF_8)).contains("keywords = [\"shop_live_\"]", "keywords = [\"bk_test_\"]");
        assertThat(err.size()).isZero();
    }

    @Test
    void printWhenTrufflehogThenYamlWithTheRegex() {
        assertThat(run(Map.of("credential.api-keys.registries[it's].prefix", "\"b\\k"), "trufflehog"))
                .isZero();

        ApiKeyRegistryOptions options =
                ApiKeyRegistryOptions.forNamespace("it's").withPrefix("\"b\\k");
        Map<String, Object> read = new Yaml().load(out.toString(UTF_8));
        assertThat(read)
                .isEqualTo(Map.of(
                        "detectors",
                        List.of(Map.of(
                                "name",
                                "credential-api-key-it's",
                                "keywords",
                                List.of("\"b\\k_it's_"),
                                "regex",
                                Map.of("token", ScannerRules.regex(options))))));
    }

    @Test
    void printWhenGithubThenItsFields() {
        assertThat(run(Map.of(REGISTRIES + "live.prefix", "bk"), "github")).isZero();

        assertThat(out.toString(UTF_8)).startsWith("Pattern name: credential-api-key-live\nSecret format: bk_live_");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "toml", "gitleaks github"})
    void printWhenArgumentsAreWrongThenExplains(String arguments) {
        assertThat(run(Map.of(REGISTRIES + "live.prefix", "bk"), arguments.split(" ", -1)))
                .isEqualTo(1);

        assertThat(out.size()).isZero();
        assertThat(err.toString(UTF_8)).contains("gitleaks, trufflehog or github", "--help");
    }

    @Test
    void printWhenNoRegistryIsConfiguredThenExplains() {
        assertThat(run(Map.of(), "gitleaks")).isEqualTo(1);

        assertThat(out.size()).isZero();
        assertThat(err.toString(UTF_8)).contains(REGISTRIES + "<namespace>", "SPRING_PROFILES_ACTIVE");
    }

    @Test
    void printWhenPropertyIsWrongThenNamesIt() {
        assertThat(run(Map.of(REGISTRIES + "live.id-bytes", "7"), "gitleaks")).isEqualTo(1);

        assertThat(err.toString(UTF_8)).contains(REGISTRIES + "live.id-bytes");
    }

    @Test
    void printWhenHelpIsAskedForThenExplains() {
        assertThat(run(Map.of(), "--help")).isZero();

        assertThat(out.toString(UTF_8)).contains("gitleaks", "trufflehog", "github");
    }
}
