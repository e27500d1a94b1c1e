package io.credential.spring.leak.internal;

import java.util.Optional;

/** Finds the public keys with which reports are signed. Thread-safe. */
@FunctionalInterface
public interface ReportKeys {

    /**
     * Returns the key with this id, or empty if there is none.
     *
     * @throws KeysUnavailableException if this cannot be told at the moment
     */
    Optional<ReportKey> find(String keyId);

    /** Returns keys that are looked up here first, and there if they are unknown. */
    default ReportKeys orElse(ReportKeys others) {
        return keyId -> find(keyId).or(() -> others.find(keyId));
    }
}
