package io.credential.spring.war;

import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

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
     * Tells which jars and modules an application without some libraries does not have.
     *
     * @param missing how the names of these begin
     */
    static Predicate<String> absent(Set<String> missing) {
        return name -> OF_TESTS.matcher(name).matches() || missing.stream().anyMatch(name::startsWith);
    }
}
