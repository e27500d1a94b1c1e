package io.credential.apikey.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyTicket;
import io.credential.apikey.internal.Operations.Result;
import io.credential.apikey.internal.ticket.JdbcTicketStore;
import io.credential.apikey.internal.ticket.TicketText;
import io.credential.secret.internal.RandomHex;

/** Issues tickets for the keys of one namespace. Whether the key is valid counts only when a ticket is redeemed. */
final class TicketIssuer {

    private static final String OPERATION = "apikey.ticket";

    private final String namespace;
    private final Operations operations;
    private final JdbcTicketStore tickets;
    private final RandomHex random;
    private final InstantSource clock;

    TicketIssuer(
            String namespace, Operations operations, JdbcTicketStore tickets, RandomHex random, InstantSource clock) {
        this.namespace = namespace;
        this.operations = operations;
        this.tickets = tickets;
        this.random = random;
        this.clock = clock;
    }

    ApiKeyTicket issue(ApiKey key, Duration lifetime) {
        return operations.write(OPERATION, () -> {
            TicketText ticket = newTicket(key);
            Instant expiresAt = expiry(lifetime);
            tickets.insert(ticket, expiresAt.toEpochMilli());
            return new Result<>(
                    new ApiKeyTicket(ticket.text(), key.id(), expiresAt),
                    key.id(),
                    Map.of("namespace", namespace, "expiresAt", KeyContents.expiryText(expiresAt)));
        });
    }

    /** The form is checked, because a caller can create an {@code ApiKey} with any id. */
    private TicketText newTicket(ApiKey key) {
        if (!key.namespace().equals(namespace)) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT,
                    "key must be of the namespace '" + namespace
                            + "' of this registry; call ticket(..) on the registry of its namespace");
        }
        TicketText ticket = new TicketText(namespace, key.id(), random.next(TicketText.SECRET_BYTES));
        if (TicketText.parse(ticket.text()).isEmpty()) {
            throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "key must have an id that this registry can issue");
        }
        return ticket;
    }

    private Instant expiry(Duration lifetime) {
        if (lifetime.compareTo(ApiKeyTicket.MIN_LIFETIME) < 0 || lifetime.compareTo(ApiKeyTicket.MAX_LIFETIME) > 0) {
            throw new ApiKeyException(
                    ApiKeyErrorCode.BAD_OPT, "lifetime must be 1 second to 5 minutes, but is " + lifetime);
        }
        return Instant.ofEpochMilli(clock.instant().plus(lifetime).toEpochMilli());
    }
}
