package io.credential.sample;

import java.io.IOException;
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
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "credential-api-keys", "io.credential.apikey",
                        "credential-audit-log", "io.credential.auditlog",
                        "credential-commands", "io.credential.commands",
                        "credential-core", "io.credential.core",
                        "credential-spring-boot-autoconfigure", "io.credential.spring.boot.autoconfigure",
                        "credential-spring-boot-starter", "io.credential.spring.boot.starter",
                        "credential-webhook-delivery", "io.credential.webhook.delivery",
                        "credential-webhook-signature", "io.credential.webhook.signature"));
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
        Map<String, String> names = new TreeMap<>();
        try (JarFile application = new JarFile(PackagedSample.jar())) {
            for (ZipEntry entry : application.stream().toList()) {
                Matcher jar = JAR.matcher(entry.getName());
                if (jar.matches()) {
                    try (JarInputStream content = new JarInputStream(application.getInputStream(entry))) {
                        names.put(
                                jar.group(1),
                                content.getManifest().getMainAttributes().getValue("Automatic-Module-Name"));
                    }
                }
            }
        }
        return names;
    }
}
