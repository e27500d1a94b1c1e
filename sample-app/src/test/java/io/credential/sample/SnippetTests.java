package io.credential.sample;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import io.credential.keyring.internal.KeyringFile;
import io.credential.sample.Snippet.Treatment;
import io.credential.spring.autoconfigure.CredentialAutoConfiguration;
import io.credential.webhook.signature.ProcessorSignature;
import io.credential.webhook.signature.WebhookVerifier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** The examples of the pages are right, as far as they can be checked without a server; {@link SnippetIT} runs the others. */
class SnippetTests {

    /** YAML that is bound, or describes containers; other properties must be in the metadata. */
    private static final Set<String> TOP_LEVEL =
            Set.of("services", "volumes", "secrets", "securityContext", "containers", "credential");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @TempDir
    Path directory;

    static Stream<Snippet> yaml() {
        return Snippet.all(Treatment.YAML);
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void yamlThenBindsKnownProperties(Snippet snippet) throws IOException {
        Path file = Files.writeString(directory.resolve("application.yml"), snippet.text());
        List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("snippet", new FileSystemResource(file));
        Set<String> known = properties().collect(Collectors.toSet());

        assertThat(sources)
                .as(snippet.toString())
                .flatExtracting(source -> Arrays.asList(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .isNotEmpty()
                .allMatch(name ->
                        TOP_LEVEL.contains(name.split("[.\\[]", -1)[0]) || known.contains(name) || isInMap(name));
        new ApplicationContextRunner()
                .withPropertyValues("spring.config.location=" + file.toUri())
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withUserConfiguration(CredentialAutoConfiguration.class)
                .run(context -> {
                    assertThat(context).as(snippet.toString()).hasNotFailed();
                    String keyring = context.getEnvironment().getProperty("credential.keyring.location", "");
                    if (keyring.startsWith("base64:")) {
                        byte[] content = Base64.getDecoder().decode(keyring.substring("base64:".length()));
                        KeyringFile.read(new ByteArrayInputStream(content), snippet.toString());
                    }
                });
    }

    @Test
    void environmentVariablesThenBelongToProperties() {
        Set<String> known = properties().map(SnippetTests::variable).collect(Collectors.toSet());
        List<String> maps = maps().map(name -> variable(name) + "_").toList();
        // Not the authorities of the console, which have the same form.
        Pattern variable = Pattern.compile("\\b(CREDENTIAL|SPRING)_(?!(VIEW|PAYLOADS|OPERATE|KEYS|ADMIN)\\b)\\w+");

        assertThat(Snippet.pages()
                        .flatMap(page -> variable.matcher(Snippet.read(page)).results()))
                .extracting(MatchResult::group)
                .isNotEmpty()
                .allMatch(name -> known.contains(name) || maps.stream().anyMatch(name::startsWith));
    }

    private static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replace("-", "").replace('.', '_');
    }

    /** The names of the properties that the metadata on the class path describes. */
    private static Stream<String> properties() {
        return metadata().map(property -> property.required("name").asString());
    }

    private static boolean isInMap(String name) {
        return maps().anyMatch(map -> name.startsWith(map + "."));
    }

    /** The names of the properties that are maps, whose keys the metadata does not know. */
    private static Stream<String> maps() {
        return metadata()
                .filter(property -> property.path("type").asString("").startsWith("java.util.Map"))
                .map(map -> map.required("name").asString());
    }

    private static Stream<JsonNode> metadata() {
        return SnippetTests.class
                .getClassLoader()
                .resources("META-INF/spring-configuration-metadata.json")
                .map(SnippetTests::json)
                .flatMap(metadata -> metadata.required("properties").valueStream());
    }

    private static JsonNode json(URL resource) {
        try (InputStream in = resource.openStream()) {
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Snippet> json() {
        return Snippet.all(Treatment.JSON);
    }

    @ParameterizedTest
    @MethodSource("json")
    void jsonThenIsAnObject(Snippet snippet) {
        assertThat(JSON.readTree(snippet.text()).isObject())
                .as(snippet.toString())
                .isTrue();
    }

    static Stream<Snippet> xml() {
        return Snippet.all(Treatment.XML);
    }

    @ParameterizedTest
    @MethodSource("xml")
    void xmlThenIsWellFormed(Snippet snippet) throws Exception {
        String document = "<dependencies>" + snippet.text() + "</dependencies>";

        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(document)));
    }

    static Stream<Snippet> commands() {
        return Snippet.all(Treatment.COMMAND);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void commandThenNamesExistingFiles(Snippet snippet) {
        List<String> words = List.of(snippet.text().strip().split(" ", -1));

        if (words.contains("-pl")) {
            String module = words.get(words.indexOf("-pl") + 1);
            assertThat(Path.of("..", module, "pom.xml")).exists();
        }
        assertThat(words)
                .filteredOn(word -> word.contains("/"))
                .allSatisfy(file -> assertThat(Path.of("..", file)).isExecutable());
    }

    /** {@link SnippetIT} runs the sessions. */
    @Test
    void pictureThenShowsStepsOfTheSessions() throws Exception {
        String sessions = Snippet.all(Treatment.SESSION).map(Snippet::text).collect(Collectors.joining());
        NodeList lines = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("../docs/images/session.svg").toFile())
                .getElementsByTagName("text");
        String shown = IntStream.range(0, lines.getLength())
                .mapToObj(line -> lines.item(line).getTextContent())
                .collect(Collectors.joining("\n"));

        assertThat(Stream.of(shown.split("(?m)^\\$ ", -1)).map(SnippetTests::withoutSpace))
                .hasSizeGreaterThan(1)
                .allMatch(withoutSpace(sessions)::contains);
    }

    /** Long lines are broken in the picture. */
    private static String withoutSpace(String text) {
        return text.replaceAll("[\\s\\\\]", "");
    }

    @Test
    void signatureFormatsThenMatchTheVector() throws Exception {
        List<String> formats = Snippet.all(Treatment.FORMAT)
                .map(snippet -> snippet.text().strip())
                .toList();
        assertThat(formats).hasSize(4);
        Matcher vector = Pattern.compile("the secret `(.+?)`, the kid `(.+?)`, the timestamp (\\d+), the id `(.+?)`"
                        + " and the body `(.+?)`")
                .matcher(Snippet.read(Path.of("../docs/webhook-signatures.md")));
        assertThat(vector.find()).isTrue();
        String secret = vector.group(1);
        String body = vector.group(5);
        Instant time = Instant.ofEpochSecond(Long.parseLong(vector.group(3)));
        List<String> filled = formats.stream()
                .map(format -> format.replace("<algorithm>", "hmac-sha3-512")
                        .replace("<kid>", vector.group(2))
                        .replace("<timestamp>", vector.group(3))
                        .replace("<id>", vector.group(4))
                        .replace("<body>", body)
                        .replace("<signature>", formats.get(2)))
                .toList();

        Mac mac = Mac.getInstance("HmacSHA3-512");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA3-512"));
        assertThat(HexFormat.of().formatHex(mac.doFinal(filled.get(1).getBytes(UTF_8))))
                .isEqualTo(formats.get(2));
        String[] header = filled.get(0).split(": ", -1);
        try (WebhookVerifier verifier = WebhookVerifier.builder()
                .algorithm("hmac-sha3-512")
                .key(vector.group(2), secret)
                .clock(() -> time)
                .build()) {
            assertThat(verifier.verify(body.getBytes(UTF_8), Map.of(header[0], List.of(header[1])))
                            .id())
                    .isEqualTo(vector.group(4));
        }
        try (ProcessorSignature processor =
                ProcessorSignature.builder().secret(secret).build()) {
            String signature = processor.sign(body.getBytes(UTF_8), time.getEpochSecond());
            assertThat(filled.get(3).replace(formats.get(2), signature.replaceAll(".*=", "")))
                    .isEqualTo(processor.signatureHeader() + ": " + signature);
        }
    }
}
