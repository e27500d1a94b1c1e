package io.credential.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.Test;

import io.credential.spring.test.WebhookReceiver;

import static org.assertj.core.api.Assertions.assertThat;

/** The jars that an application gets with the starter, and the test kit. */
class PublishedJarsIT {

    private static final Pattern JAR =
            Pattern.compile("BOOT-INF/lib/(credential-[a-z-]+)-(\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?)\\.jar");

    @Test
    void jarThenNamesItsModule() throws IOException {
        assertThat(moduleNames())
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("credential-api-keys", "io.credential.apikey"),
                        Map.entry("credential-audit-log", "io.credential.auditlog"),
                        Map.entry("credential-commands", "io.credential.commands"),
                        Map.entry("credential-core", "io.credential.core"),
                        Map.entry("credential-spring-boot-autoconfigure", "io.credential.spring.boot.autoconfigure"),
                        Map.entry("credential-spring-boot-console", "io.credential.spring.boot.console"),
                        Map.entry("credential-spring-boot-starter", "io.credential.spring.boot.starter"),
                        Map.entry(
                                "credential-spring-boot-starter-console", "io.credential.spring.boot.starter.console"),
                        Map.entry("credential-webhook-delivery", "io.credential.webhook.delivery"),
                        Map.entry("credential-webhook-inbox", "io.credential.webhook.inbox"),
                        Map.entry("credential-webhook-signature", "io.credential.webhook.signature")));
    }

    @Test
    void jarThenContainsTheLicense() throws IOException {
        String license = Snippet.read(Path.of("../LICENSE"));

        assertThat(fromEachJar(PublishedJarsIT::license))
                .isNotEmpty()
                .allSatisfy((jar, text) -> assertThat(text).isEqualTo(license));
    }

    @Test
    void testKitThenNamesItsModule() throws Exception {
        Path jar = Path.of(WebhookReceiver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        try (JarFile testKit = new JarFile(jar.toFile())) {
            assertThat(testKit.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                    .isEqualTo("io.credential.spring.boot.test");
        }
    }

    @Test
    void bomThenManagesEveryJar() throws IOException {
        String bom = Snippet.read(Path.of("../credential-bom/pom.xml"));

        assertThat(moduleNames().keySet()).isNotEmpty();
        assertThat(Stream.concat(moduleNames().keySet().stream(), Stream.of("credential-spring-boot-test")))
                .allSatisfy(artifact -> assertThat(bom)
                        .containsPattern("<artifactId>" + artifact
                                + "</artifactId>\\s*<version>\\$\\{project\\.version}</version>"));
    }

    private static Map<String, String> moduleNames() throws IOException {
        return fromEachJar(jar -> jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
    }

    private static String license(JarInputStream jar) throws IOException {
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            if (entry.getName().equals("META-INF/LICENSE")) {
                return new String(jar.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    /** Returns what is read from each of our jars in the sample, by the name of its artifact. */
    private static Map<String, String> fromEachJar(JarReader reader) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (JarFile application = new JarFile(PackagedSample.jar())) {
            for (ZipEntry entry : application.stream().toList()) {
                Matcher jar = JAR.matcher(entry.getName());
                if (jar.matches()) {
                    try (JarInputStream content = new JarInputStream(application.getInputStream(entry))) {
                        found.put(jar.group(1), reader.read(content));
                    }
                }
            }
        }
        return found;
    }

    private interface JarReader {
        String read(JarInputStream jar) throws IOException;
    }
}
