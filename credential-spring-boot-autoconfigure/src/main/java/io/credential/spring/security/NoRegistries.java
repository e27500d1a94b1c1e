package io.credential.spring.security;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;

/** Replaces registries that are configured but not created, as in a test slice: rejects every key. */
final class NoRegistries implements ApiKeyRegistries {

    @Override
    public ApiKeyRegistry get(String namespace) {
        throw new ApiKeyException(
                ApiKeyErrorCode.BAD_OPT,
                "No registry has the namespace '" + namespace + "'; provide a bean of type ApiKeyRegistries");
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
