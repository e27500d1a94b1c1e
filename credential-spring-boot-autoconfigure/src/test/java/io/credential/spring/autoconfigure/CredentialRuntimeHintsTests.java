package io.credential.spring.autoconfigure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;

class CredentialRuntimeHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    CredentialRuntimeHintsTests() {
        new CredentialRuntimeHints().registerHints(hints, getClass().getClassLoader());
    }

    @Test
    void hintsThenIncludeEveryMigration() throws IOException {
        Resource[] scripts = new PathMatchingResourcePatternResolver()
                .getResources("classpath*:io/credential/**/migration/**/*.sql");
        Stream<String> paths = Arrays.stream(scripts).map(CredentialRuntimeHintsTests::path);

        assertThat(paths)
                .hasSizeGreaterThan(8)
                .allMatch(path ->
                        RuntimeHintsPredicates.resource().forResource(path).test(hints));
    }

    @Test
    void hintsThenIncludeTheVersion() {
        String version = "io/credential/webhook/delivery/internal/attempt/version.txt";

        assertThat(getClass().getClassLoader().getResource(version)).isNotNull();
        assertThat(RuntimeHintsPredicates.resource().forResource(version)).accepts(hints);
    }

    @Test
    void hintsThenIncludeProxiesAndTheirTargets() throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Connection.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(JdbcOperations.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Connection.class.getMethod("commit")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(JdbcOperations.class.getMethod("update", String.class)))
                .accepts(hints);
    }

    @Test
    void hintsThenIncludeWhatConditionsBind() throws ClassNotFoundException {
        Class<?> bound =
                Class.forName("io.credential.spring.autoconfigure.internal.condition.ConfiguredFeatures$Inbound");

        assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(bound.getDeclaredConstructors()[0]))
                .accepts(hints);
    }

    private static String path(Resource script) {
        try {
            String url = script.getURL().toString();
            return url.substring(url.lastIndexOf("io/credential/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
