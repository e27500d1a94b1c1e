package io.credential.webhook.delivery;

import io.credential.storage.CredentialDatabase;

/** Removes what was delivered long enough ago, and events that nothing refers to, in small batches. */
final class Retention {

    Retention(CredentialDatabase database, DispatcherTables tables) {}

    /**
     * @param before removes what was delivered before this time, in unix milliseconds
     * @return how many deliveries were removed
     */
    int removeDeliveredBefore(long before) {
        throw new UnsupportedOperationException();
    }
}
