package io.credential.apikey;

import java.util.Collection;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The registries of the application, one for each namespace. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ApiKeyRegistries {

    /**
     * Returns the registry of a namespace.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when no registry has this namespace
     */
    ApiKeyRegistry get(String namespace);

    /**
     * Returns the registry that a token belongs to by its prefix and namespace. Neither verifies the token or its form,
     * nor accesses the database.
     */
    Optional<ApiKeyRegistry> forToken(@Nullable String token);

    Collection<ApiKeyRegistry> all();
}
