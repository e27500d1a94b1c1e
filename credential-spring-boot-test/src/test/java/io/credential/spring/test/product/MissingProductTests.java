package io.credential.spring.test.product;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.testing.ReducedClassPath;

import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests applications that have only one of the starters, each in a class loader that really lacks the other libraries: a
 * class that mentions one and is loaded without it fails there.
 */
class MissingProductTests {

    private static final List<String> KEYS = List.of("credential-api-keys", "bucket4j");
    private static final List<String> SIGNATURE = List.of("credential-webhook-signature");
    private static final List<String> DELIVERY = List.of("credential-webhook-delivery", "httpc");
    private static final List<String> DATABASE =
            List.of("spring-boot-jdbc", "spring-boot-sql", "spring-jdbc", "spring-tx", "HikariCP", "flyway");
    private static final List<String> SECURITY = List.of("spring-security", "spring-boot-security");
    private static final List<String> SERVLETS = List.of(
            "jakarta.servlet",
            "tomcat",
            "spring-web",
            "spring-boot-webmvc",
            "spring-boot-servlet",
            "spring-boot-tomcat",
            "spring-boot-web-server",
            "spring-boot-http-converter",
            "spring-boot-resttestclient");

    @Test
    void kitWhenOnlyKeysThenNothingOfWebhooks() {
        assertPasses("keys.KeysOnly", List.of(SIGNATURE, DELIVERY));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void kitWhenOnlySignaturesThenNoDatabase(boolean security) {
        assertPasses("signature.SignaturesOnly", List.of(KEYS, DELIVERY, DATABASE, security ? List.of() : SECURITY));
    }

    @Test
    void kitWhenNoncesAreStoredThenTemporaryDatabase() {
        assertPasses("signature.StoredNonces", List.of(KEYS, DELIVERY));
    }

    @Test
    void kitWhenOnlySendingThenNeedsNoServer() {
        assertPasses("delivery.SendingOnly", List.of(KEYS, SECURITY, SERVLETS));
    }

    private static void assertPasses(String test, List<List<String>> missing) {
        List<String> absent = Stream.concat(
                        Stream.of("credential-audit-log"), missing.stream().flatMap(List::stream))
                .toList();
        assertThatNoException()
                .isThrownBy(() ->
                        ReducedClassPath.without(name -> absent.stream().anyMatch(name::startsWith), world -> {
                            ((Runnable) world.loadClass(ContextTest.class.getName())
                                            .getConstructor(String.class)
                                            .newInstance(MissingProductTests.class.getPackageName() + "." + test))
                                    .run();
                            return test;
                        }));
    }
}
