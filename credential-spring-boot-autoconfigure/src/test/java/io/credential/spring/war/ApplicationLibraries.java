package io.credential.spring.war;

import java.io.File;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The libraries of an application with the starter, Spring MVC, Actuator and all that is optional for us. */
final class ApplicationLibraries {

    /** Libraries that only tests, or applications of other kinds, have. */
    private static final Pattern OF_TESTS =
            Pattern.compile("(.*-tests|.*-test|junit|mockito|archunit|assertj|awaitility"
                    + "|opentest4j|apiguardian|surefire|hamcrest|json-path|xmlunit|jsonassert|docker|testcontainers|embedded-|spring-test|spring-boot-test|spring-boot-resttestclient|h2-|kotlin"
                    + "|hibernate|spring-boot-(data-jpa|hibernate|jpa|webflux|security-oauth2)"
                    + "|spring-(webflux|security-oauth2)|lettuce).*");

    private ApplicationLibraries() {}

    /**
     * Returns the class path without some libraries: class files of our modules, and jars.
     *
     * @param missing how the names of these jars begin
     */
    static Stream<Path> without(Set<String> missing) {
        return Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1))
                .distinct()
                .map(Path::of)
                .filter(entry -> !OF_TESTS.matcher(name(entry)).matches())
                .filter(entry -> missing.stream().noneMatch(name(entry)::startsWith));
    }

    private static String name(Path entry) {
        return entry.getFileName().toString();
    }
}
