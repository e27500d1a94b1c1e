package io.credential.spring.security;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;

/** Stands in where registries are configured and not created, as in a test slice: every key is refused. */
final class NoRegistries implements ApiKeyRegistries {

    @Override
    public ApiKeyRegistry get(String namespace) {
        throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "No registry has the namespace " + namespace);
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
