package io.credential.apikey.internal;

import io.credential.apikey.ApiKeyRegistryOptions;
import io.credential.apikey.ApiKeyToken;
import io.credential.secret.internal.RandomHex;

/** Generates the tokens of a registry. Thread-safe. */
final class TokenGenerator {

    private final ApiKeyRegistryOptions options;
    private final RandomHex random;

    TokenGenerator(ApiKeyRegistryOptions options, RandomHex random) {
        this.options = options;
        this.random = random;
    }

    ApiKeyRegistryOptions options() {
        return options;
    }

    /** Returns a token with a new id and a new secret. */
    ApiKeyToken next() {
        return next(random.next(options.idBytes()));
    }

    /** Returns a token with a new secret for an id. */
    ApiKeyToken next(String id) {
        return new ApiKeyToken(options.prefix(), options.namespace(), id, random.next(options.secretBytes()));
    }
}
