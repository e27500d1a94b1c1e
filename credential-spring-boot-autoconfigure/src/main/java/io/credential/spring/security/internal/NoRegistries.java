package io.credential.spring.security.internal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;

/**
 * Contains no registry, so every key is rejected. Used if no registry is configured, or if a test slice does not create
 * those that are.
 */
public final class NoRegistries implements ApiKeyRegistries {

    @Override
    public ApiKeyRegistry get(String namespace) {
        throw new ApiKeyException(
                ApiKeyErrorCode.BAD_OPT,
                "No registry has the namespace '" + namespace + "'; set 'credential.api-keys.registries." + namespace
                        + ".prefix'");
    }

    @Override
    public Optional<ApiKeyRegistry> forToken(@Nullable String token) {
        return Optional.empty();
    }

    @Override
    public Collection<ApiKeyRegistry> all() {
        return List.of();
    }
}
