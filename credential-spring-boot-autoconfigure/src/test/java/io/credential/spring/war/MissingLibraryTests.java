package io.credential.spring.war;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import io.credential.testing.ReducedClassPath;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each optional library is missing in turn; those that have nothing to do with each other, together. A class of one behind
 * a check for another only shows where both are really absent, also for Spring Boot and Spring Security: a
 * FilteredClassLoader, or our classes alone in a class loader, would answer questions about classes and then find them
 * anyway.
 */
class MissingLibraryTests {

    @TempDir
    Path directory;

    /** A library without which applications are built, and those that cannot exist without it. */
    enum Library {
        SPRING_WEBMVC("spring-webmvc", "spring-boot-webmvc", "springdoc-"),
        WEB_SERVER("spring-boot-web-server", "spring-boot-tomcat", "spring-boot-jetty"),
        TOMCAT("spring-boot-tomcat"),
        JETTY("spring-boot-jetty", "jetty-"),
        ACTUATOR("spring-boot-actuator", "spring-boot-health", "spring-boot-micrometer"),
        ACTUATOR_AUTOCONFIGURE("spring-boot-actuator-autoconfigure"),
        HEALTH("spring-boot-health"),
        MICROMETER("micrometer-core", "micrometer-jakarta9", "spring-boot-micrometer"),
        DATA_JDBC("spring-data-"),
        UNRELATED( // which LibraryMentionTests verifies
                "springdoc-",
                "spring-orm",
                "logback-",
                "spring-data-redis",
                "postgresql",
                "flyway-database-postgresql"),
        ALL(
                "spring-webmvc",
                "spring-boot-webmvc",
                "springdoc-",
                "spring-boot-web-server",
                "spring-boot-tomcat",
                "spring-boot-jetty",
                "jetty-",
                "spring-orm",
                "spring-boot-actuator",
                "spring-boot-health",
                "logback-",
                "micrometer-core",
                "micrometer-jakarta9",
                "spring-boot-micrometer",
                "spring-data-",
                "postgresql",
                "reactor-",
                "aspectjweaver");

        @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
        private final Set<String> missing;

        Library(String... missing) {
            this.missing = Set.of(missing);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keyWhenLibraryIsMissingThenChecked(Library library) throws Exception {
        var unused = ReducedClassPath.without(ApplicationLibraries.absent(library.missing), world -> {
            AutoCloseable application = start(world);
            try {
                assertKeysAreChecked(library.missing.contains("spring-webmvc") ? "/plain/orders" : "/orders");
            } finally {
                application.close();
            }
            return library;
        });
    }

    private void assertKeysAreChecked(String path) throws Exception {
        DeployedApi api = new DeployedApi(directory);
        assertThat(api.get(path, "reader").statusCode()).isEqualTo(200);
        assertThat(api.get(path, "other").statusCode()).isEqualTo(403);
        assertThat(api.get(path).statusCode()).isEqualTo(401);
    }

    private AutoCloseable start(ClassLoader world) throws ReflectiveOperationException {
        return (AutoCloseable) world.loadClass(DeployedApplication.class.getName())
                .getMethod("start", Path.class, Map.class)
                .invoke(null, directory, WarApplication.parameters(directory));
    }

    /**
     * Without spring-boot-security, startup fails or warns instead; the servlet API comes from the server. Keys are stored
     * with the next two.
     */
    @Test
    void librariesWhenOptionalThenEachIsMissingOnce() throws Exception {
        Set<String> optional = optionalDependencies();
        assertThat(optional).hasSizeGreaterThan(8);
        Set<String> covered = new TreeSet<>(Set.of("spring-boot-security", "spring-boot-jdbc", "HikariCP"));
        optional.stream()
                .filter(artifact -> artifact.startsWith("credential-")) // see MissingProductTests
                .forEach(covered::add);
        for (String artifact : optional) {
            if (Stream.of(Library.values())
                    .filter(library -> library != Library.ALL)
                    .anyMatch(library -> library.missing.stream().anyMatch(artifact::startsWith))) {
                covered.add(artifact);
            }
        }

        assertThat(covered).as("add a library to the enum").containsAll(optional);
    }

    private static Set<String> optionalDependencies() throws Exception {
        NodeList dependencies = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile())
                .getElementsByTagName("dependency");
        Set<String> optional = new TreeSet<>();
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            if (dependency.getElementsByTagName("optional").getLength() > 0) {
                optional.add(
                        dependency.getElementsByTagName("artifactId").item(0).getTextContent());
            }
        }
        return optional;
    }
}
