package io.credential.apikey.leak;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ScannerRulesTests {

    private static final ApiKeyRegistryOptions LIVE = ApiKeyRegistryOptions.forNamespace("live");
    private static final ApiKeyRegistryOptions ODD =
            ApiKeyRegistryOptions.forNamespace("a.b'''\"\\d").withPrefix("$k+");
    private static final Pattern LIVE_TOKENS = Pattern.compile(ScannerRules.regex(LIVE));

    private static final String ID = "0011223344556677";
    private static final String SECRET = "00112233445566778899aabbccddeeff";
    private static final String TOKEN = "bk_live_" + ID + "_" + SECRET;

    /** What neither RE2 nor Hyperscan supports: look-around, possessive quantifiers, back references, classes of Java. */
    private static final Pattern UNSUPPORTED =
            Pattern.compile("\\(\\?(?!:)|(?<!\\\\)[*+?}][+]|(?<!\\\\)\\\\[1-9A-Za-ac-z]|&&");

    static Stream<String> tokens() {
        return Stream.of(8, 9, 16, 32)
                .flatMap(id -> Stream.of(16, 17, 32, 64)
                        .map(secret -> "bk_live_" + "0a".repeat(id) + "_" + "F1".repeat(secret)));
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void regexWhenRegistryCouldIssueTheTokenThenMatches(String token) {
        assertThat(isAcceptable(token)).isTrue();
        assertThat(LIVE_TOKENS.matcher("key: \"" + token + "\", more").results())
                .singleElement()
                .satisfies(found -> assertThat(found.group()).isEqualTo(token));
    }

    static Stream<String> nearMisses() {
        return Stream.of(
                "bk_live_" + ID.substring(2) + "_" + SECRET,
                "bk_live_" + ID + "_" + SECRET.substring(2),
                "bk_live_" + ID.substring(1) + "_" + SECRET,
                "bk_live_" + ID + "_" + SECRET.substring(1),
                "bk_live_" + ID + "0_" + SECRET,
                TOKEN + "0",
                TOKEN + "_",
                TOKEN + "x",
                "bk_live_" + "00".repeat(33) + "_" + SECRET,
                "bk_live_" + ID + "_" + "00".repeat(65),
                "x" + TOKEN,
                "x_" + TOKEN,
                "BK_live_" + ID + "_" + SECRET,
                "bk_test_" + ID + "_" + SECRET,
                "bk-live_" + ID + "_" + SECRET,
                "live_" + ID + "_" + SECRET,
                TOKEN.replace("99", "9g"));
    }

    @ParameterizedTest
    @MethodSource("nearMisses")
    void regexWhenItIsAlmostTokenThenNoMatch(String text) {
        assertThat(isAcceptable(text)).isFalse();
        assertThat(LIVE_TOKENS.matcher(text).find()).isFalse();
    }

    /** Compares the expression with the parser on tokens in which up to three characters were replaced. */
    @Test
    void regexWhenTokenIsChangedThenMatchesAsItIsParsed() {
        Random random = new Random(13);
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            StringBuilder changed = new StringBuilder(TOKEN);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int at = random.nextInt(changed.length());
                changed.replace(at, at + random.nextInt(2), String.valueOf((char) random.nextInt(' ', 127)));
            }
            String text = changed.toString();
            boolean acceptable = isAcceptable(text);
            accepted += acceptable ? 1 : 0;
            assertThat(LIVE_TOKENS.matcher(text).matches()).as(text).isEqualTo(acceptable);
        }
        assertThat(accepted).isBetween(1_000, 19_000);
    }

    private static boolean isAcceptable(String text) {
        Optional<ApiKeyToken> token = ApiKeyToken.parse(text);
        return token.filter(parsed -> parsed.prefix().equals("bk")
                        && parsed.namespace().equals("live")
                        && parsed.idHex().length() >= 16
                        && parsed.idHex().length() <= 64
                        && parsed.secretHex().length() >= 32
                        && parsed.secretHex().length() <= 128)
                .isPresent();
    }

    @Test
    void regexWhenNamesHavePunctuationThenItIsLiteral() {
        Pattern odd = Pattern.compile(ScannerRules.regex(ODD));
        String rest = "_" + ID + "_" + SECRET;

        assertThat(odd.matcher("$k+_a.b'''\"\\d" + rest).matches()).isTrue();
        assertThat(odd.matcher("$k+_axb'''\"\\d" + rest).find()).isFalse();
        assertThat(odd.matcher("$kk_a.b'''\"\\d" + rest).find()).isFalse();
    }

    @Test
    void regexThenUsesOnlyWhatScannersSupport() {
        assertThat(ScannerRules.regex(LIVE))
                .isEqualTo("\\bbk_live_(?:[0-9a-fA-F]{2}){8,32}_(?:[0-9a-fA-F]{2}){16,64}\\b");
        assertThat(UNSUPPORTED.matcher(ScannerRules.regex(ODD)).find()).isFalse();
    }

    @Test
    void gitleaksThenIsTomlWithOneRulePerRegistry() {
        TomlParseResult toml = Toml.parse(new ScannerRules(List.of(LIVE, ODD)).gitleaks());

        assertThat(toml.errors()).isEmpty();
        assertThat(toml.getBoolean("extend.useDefault")).isTrue();
        assertThat(toml.getArrayOrEmpty("rules").size()).isEqualTo(2);
        assertRule(toml, 0, LIVE, "bk_live_");
        assertRule(toml, 1, ODD, "$k+_a.b'''\"\\d_");
    }

    private static void assertRule(TomlParseResult toml, int index, ApiKeyRegistryOptions registry, String start) {
        TomlTable rule = toml.getArrayOrEmpty("rules").getTable(index);
        assertThat(rule.getString("id")).isEqualTo("credential-api-key-" + registry.namespace());
        assertThat(rule.getString("description")).isEqualTo("API key of the registry " + registry.namespace());
        assertThat(rule.getString("regex")).isEqualTo(ScannerRules.regex(registry));
        assertThat(rule.getArrayOrEmpty("keywords").toList()).containsExactly(start);
    }

    @Test
    void trufflehogThenOneDetectorPerRegistry() {
        assertThat(new ScannerRules(List.of(LIVE)).trufflehog()).isEqualTo("""
                detectors:
                  - name: "credential-api-key-live"
                    keywords:
                      - "bk_live_"
                    regex:
                      token: "\\\\bbk_live_(?:[0-9a-fA-F]{2}){8,32}_(?:[0-9a-fA-F]{2}){16,64}\\\\b"
                """);
    }

    @Test
    void githubThenThreeExpressionsPerRegistry() {
        assertThat(new ScannerRules(List.of(LIVE)).github()).isEqualTo("""
                Pattern name: credential-api-key-live
                Secret format: bk_live_(?:[0-9a-fA-F]{2}){8,32}_(?:[0-9a-fA-F]{2}){16,64}
                Before secret: \\A|[^0-9A-Za-z_]
                After secret: \\z|[^0-9A-Za-z_]
                """);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void githubWhenExpressionsAreJoinedThenFindToken(int index) {
        ApiKeyRegistryOptions registry = List.of(LIVE, ODD).get(index);
        List<String> fields = new ScannerRules(List.of(registry))
                .github()
                .lines()
                .map(line -> line.substring(line.indexOf(": ") + 2))
                .toList();
        Pattern joined = Pattern.compile("(?:" + fields.get(2) + ")(" + fields.get(1) + ")(?:" + fields.get(3) + ")");
        String token = registry.prefix() + "_" + registry.namespace() + "_" + ID + "_" + SECRET;

        for (String text : List.of(token, "\"" + token + "\"", "x\n" + token + "\n")) {
            assertThat(joined.matcher(text).results())
                    .singleElement()
                    .satisfies(found -> assertThat(found.group(1)).isEqualTo(token));
        }
        assertThat(joined.matcher(token + "0").find()).isFalse();
    }

    @Test
    void createWhenThereIsNoRegistryThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScannerRules(List.of()))
                .withMessageContaining("registries");
    }
}
