package io.credential.apikey.internal;

/** What callers do with a key: present its token, or a ticket in its place. */
record KeyUse(ApiKeyVerifier verifier, TicketIssuer tickets, TicketRedeemer redeemer) {}
