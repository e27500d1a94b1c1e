package io.credential.webhook.delivery;

import java.util.List;
import java.util.Optional;

import io.credential.storage.CredentialDatabase;

/** Reads deliveries and their attempts, and changes those that no claim holds. */
final class JdbcDeliveryLog {

    JdbcDeliveryLog(CredentialDatabase database, DispatcherTables tables) {}

    List<Delivery> list(DeliveryQuery query) {
        throw new UnsupportedOperationException();
    }

    Optional<Delivery> find(String deliveryId) {
        throw new UnsupportedOperationException();
    }

    /** The deliveries of one event, in the order of their ids. */
    List<Delivery> ofEvent(String eventId) {
        throw new UnsupportedOperationException();
    }

    List<DeliveryAttempt> attempts(String deliveryId) {
        throw new UnsupportedOperationException();
    }

    /** The newest first. */
    List<Delivery> listDead(int limit) {
        throw new UnsupportedOperationException();
    }

    /** Makes dead deliveries pending and due, with all their attempts before them; returns how many. */
    int replayAll(DeadLetterQuery query, long now) {
        throw new UnsupportedOperationException();
    }

    /** Removes dead deliveries with their attempts, in batches; returns how many. */
    int purge(DeadLetterQuery query) {
        throw new UnsupportedOperationException();
    }
}
