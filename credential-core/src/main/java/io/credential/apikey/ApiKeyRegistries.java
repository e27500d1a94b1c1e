package io.credential.apikey;

import java.util.Collection;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Every registry of the application, one for each namespace. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ApiKeyRegistries {

    /**
     * The registry of a namespace.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when no registry has this namespace
     */
    ApiKeyRegistry get(String namespace);

    /**
     * The registry that a token belongs to by its form, prefix and namespace; the token is not verified and the
     * database not asked.
     */
    Optional<ApiKeyRegistry> forToken(@Nullable String token);

    Collection<ApiKeyRegistry> all();
}
