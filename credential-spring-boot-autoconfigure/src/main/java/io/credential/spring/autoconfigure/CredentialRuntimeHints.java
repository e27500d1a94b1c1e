package io.credential.spring.autoconfigure;

import java.sql.Connection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Tells a native image which resources and proxies the starter uses without naming them in code. The
 * BouncyCastle classes are called directly and need no hints.
 */
final class CredentialRuntimeHints implements RuntimeHintsRegistrar {

    private static final List<String> RESOURCES =
            List.of("io/credential/**/migration/**", "io/credential/webhook/delivery/internal/attempt/version.txt");

    /** Proxies of these pass each call on to an object of the same type. */
    private static final List<Class<?>> PROXIED = List.of(Connection.class, JdbcOperations.class);

    /** Bound when conditions are evaluated; not part of the configuration properties. */
    private static final String BOUND_BY_CONDITIONS =
            "io.credential.spring.autoconfigure.internal.condition.ConfiguredFeatures$Inbound";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        RESOURCES.forEach(hints.resources()::registerPattern);
        for (Class<?> type : PROXIED) {
            hints.proxies().registerJdkProxy(type);
            hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        hints.reflection()
                .registerType(TypeReference.of(BOUND_BY_CONDITIONS), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
    }
}
