package io.credential.apikey.leak;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.credential.apikey.ApiKeyRegistryOptions;

/**
 * The rules with which secret scanners find the tokens of registries in source code and its history. A rule matches every
 * text that has the form of a token of its registry, with any length of id and secret that can be configured: tokens
 * outlive a change of {@code idBytes} or {@code secretBytes}. Immutable.
 *
 * @since 0.1.0
 */
public final class ScannerRules {

    private static final String HEX_BYTE = "(?:[0-9a-fA-F]{2})";
    private static final String WORD_BOUNDARY = "\\b";

    private final List<ApiKeyRegistryOptions> registries;

    /**
     * @param registries the registries whose tokens are found
     * @throws IllegalArgumentException if there are none: a scanner would find nothing
     */
    public ScannerRules(Collection<ApiKeyRegistryOptions> registries) {
        if (registries.isEmpty()) {
            throw new IllegalArgumentException("registries must not be empty");
        }
        this.registries = List.copyOf(registries);
    }

    /**
     * Returns a regular expression that finds the tokens of a registry. It uses only what RE2 and Hyperscan support, and
     * takes linear time there.
     */
    public static String regex(ApiKeyRegistryOptions registry) {
        return boundary(registry) + token(registry) + WORD_BOUNDARY;
    }

    /** Returns a configuration file for gitleaks, which also uses the rules that are built into gitleaks. */
    public String gitleaks() {
        return "[extend]\nuseDefault = true\n" + forEach(ScannerRules::gitleaksRule);
    }

    private static String gitleaksRule(ApiKeyRegistryOptions registry) {
        return """

                [[rules]]
                id = %s
                description = %s
                regex = '''%s'''
                keywords = [%s]
                """.formatted(
                        quoted(name(registry)),
                        quoted("API key of the registry " + registry.namespace()),
                        regex(registry),
                        quoted(start(registry)));
    }

    /** Returns a configuration file with custom detectors for TruffleHog. */
    public String trufflehog() {
        return "detectors:\n" + forEach(ScannerRules::trufflehogDetector);
    }

    private static String trufflehogDetector(ApiKeyRegistryOptions registry) {
        String detector = """
                - name: %s
                  keywords:
                    - %s
                  regex:
                    token: %s
                """.formatted(quoted(name(registry)), quoted(start(registry)), quoted(regex(registry)));
        return detector.indent(2);
    }

    /** Returns the fields of a custom pattern of GitHub secret scanning for each registry. */
    public String github() {
        return forEach(ScannerRules::githubPattern);
    }

    private static String githubPattern(ApiKeyRegistryOptions registry) {
        return """
                Pattern name: %s
                Secret format: %s
                Before secret: %s
                After secret: \\z|[^0-9A-Za-z_]
                """.formatted(
                name(registry), token(registry), boundary(registry).isEmpty() ? "\\A|[\\s\\S]" : "\\A|[^0-9A-Za-z_]");
    }

    private String forEach(Function<ApiKeyRegistryOptions, String> rule) {
        return registries.stream().map(rule).collect(Collectors.joining());
    }

    private static String name(ApiKeyRegistryOptions registry) {
        return "credential-api-key-" + registry.namespace();
    }

    private static String start(ApiKeyRegistryOptions registry) {
        return registry.prefix() + '_' + registry.namespace() + '_';
    }

    private static String token(ApiKeyRegistryOptions registry) {
        return literal(registry.prefix())
                + '_'
                + literal(registry.namespace())
                + '_'
                + hex(ApiKeyRegistryOptions.MIN_ID_BYTES, ApiKeyRegistryOptions.MAX_ID_BYTES)
                + '_'
                + hex(ApiKeyRegistryOptions.MIN_SECRET_BYTES, ApiKeyRegistryOptions.MAX_SECRET_BYTES);
    }

    private static String hex(int minBytes, int maxBytes) {
        return HEX_BYTE + '{' + minBytes + ',' + maxBytes + '}';
    }

    /** There is no word boundary in front of a prefix that begins with punctuation. */
    private static String boundary(ApiKeyRegistryOptions registry) {
        return isWord(registry.prefix().charAt(0)) ? WORD_BOUNDARY : "";
    }

    /** Escapes punctuation only: before letters and digits, a backslash has another meaning. */
    private static String literal(String text) {
        return text.chars()
                .mapToObj(character -> isWord(character) ? Character.toString(character) : "\\" + (char) character)
                .collect(Collectors.joining());
    }

    /** Names consist of ASCII characters. */
    private static boolean isWord(int character) {
        return Character.isLetterOrDigit(character);
    }

    /** Quotes visible ASCII for TOML and YAML. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
