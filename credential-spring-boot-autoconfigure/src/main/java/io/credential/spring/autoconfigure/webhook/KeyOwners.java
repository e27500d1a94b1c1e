package io.credential.spring.autoconfigure.webhook;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.webhook.signature.key.KeyIdentity;

/** Refuses a key that two senders share: what one of them signs would be accepted as the other's. Thread-safe. */
final class KeyOwners {

    private final Map<KeyIdentity, Owner> owners = new ConcurrentHashMap<>();

    /**
     * @throws CredentialConfigurationException when another sender has this key
     */
    void claim(String name, String kid, KeyIdentity key) {
        Owner owner = owners.computeIfAbsent(key, unused -> new Owner(name, kid));
        if (!owner.name().equals(name)) {
            throw new CredentialConfigurationException(
                    "The incoming webhooks '" + owner.name() + "' (kid '" + owner.kid() + "') and '" + name + "' (kid '"
                            + kid + "') have the same key: each sender could sign for the other.",
                    "Give 'credential.webhook.inbound." + name + ".keys." + kid + "' a different key.");
        }
    }

    private record Owner(String name, String kid) {}
}
