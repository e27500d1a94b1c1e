package io.credential.webhook.delivery;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import io.credential.audit.AuditTrail;
import io.credential.storage.CredentialDatabase;
import io.credential.webhook.http.DestinationVetter;

/** The endpoints and what they subscribe to. */
final class EndpointRegistry {

    EndpointRegistry(
            CredentialDatabase database,
            DispatcherTables tables,
            EndpointSecrets secrets,
            DestinationVetter destinations,
            Duration lookupTimeout,
            InstantSource clock,
            AuditTrail audit) {}

    Endpoint register(EndpointRegistration registration) {
        throw new UnsupportedOperationException();
    }

    boolean remove(String endpointId) {
        throw new UnsupportedOperationException();
    }

    List<Endpoint> list() {
        throw new UnsupportedOperationException();
    }

    ResealResult resealSecrets() {
        throw new UnsupportedOperationException();
    }
}
