package io.credential.apikey;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.credential.apikey.internal.KeyRules;

/**
 * How a key's secret is replaced.
 *
 * @since 0.1.0
 */
public sealed interface Rotation {

    /** The old secret stops working immediately, and so does an earlier one that is still in its grace period. */
    static Rotation immediate() {
        return Immediate.INSTANCE;
    }

    /**
     * The old secret keeps working for the registry's rotation grace period (default 7 days); an earlier one that is
     * still in its grace period stops working.
     */
    static Rotation graceful() {
        return new Graceful(null);
    }

    /**
     * The old secret keeps working for this long; an earlier one that is still in its grace period stops working.
     *
     * @throws ApiKeyException {@code api-key/bad-opt} when it is null, shorter than a minute or longer than 90 days
     */
    static Rotation graceful(Duration grace) {
        return new Graceful(KeyRules.required(grace, "grace"));
    }

    /** A hard cut-over. */
    enum Immediate implements Rotation {
        INSTANCE
    }

    /**
     * A rotation with an overlap.
     *
     * @param grace how long; null for the registry's default
     */
    record Graceful(@Nullable Duration grace) implements Rotation {

        /**
         * @throws ApiKeyException {@code api-key/bad-opt} when it is shorter than a minute or longer than 90 days
         */
        public Graceful {
            if (grace != null) {
                ApiKeyRegistryOptions.requireRotationGrace(grace);
            }
        }
    }
}
