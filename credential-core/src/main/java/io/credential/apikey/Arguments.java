package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/** Refuses missing arguments with the code of the registry, where a caller would otherwise get a null-pointer failure. */
final class Arguments {

    private Arguments() {}

    /**
     * Returns the argument.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null
     */
    static <T> T required(@Nullable T argument, String name) {
        return required(argument, ApiKeyErrorCode.BAD_OPT, name);
    }

    /**
     * Returns the argument.
     *
     * @throws ApiKeyException with the given code when it is null
     */
    static <T> T required(@Nullable T argument, ApiKeyErrorCode code, String name) {
        if (argument == null) {
            throw new ApiKeyException(code, name + " must not be null");
        }
        return argument;
    }
}
