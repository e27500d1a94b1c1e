package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

import io.credential.testing.DatabaseKind;

/** The sample on a database, its administrator, and a partner who receives webhooks. */
final class RunningSample implements AutoCloseable {

    final Sample sample;
    final Api api;
    final Api admin;
    final String operatorPassword;
    final Partner partner;
    private final DatabaseKind kind;
    private final SampleDatabase database;

    private RunningSample(DatabaseKind kind) throws IOException {
        this.kind = kind;
        database = SampleDatabase.create(kind);
        sample = database.start(properties());
        sample.stopPurging();
        api = sample.api();
        admin = api.with(database.adminKey());
        operatorPassword = database.operatorPassword();
        partner = new Partner();
    }

    static RunningSample start(DatabaseKind kind) {
        try {
            return new RunningSample(kind);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> properties() {
        return Map.ofEntries(
                // More requests at once than connections: each waits for its turn.
                Map.entry("spring.datasource.hikari.connection-timeout", "300000"),
                Map.entry("credential.api-keys.registries.live.purge-after", "0s"),
                Map.entry("credential.webhook.dispatcher.allowed-cidrs", "127.0.0.1/32,::1/128"),
                Map.entry("credential.webhook.dispatcher.max-attempts", "2"),
                // Longer than any attempt takes: outcomes do not depend on the speed of the machine.
                Map.entry("credential.webhook.dispatcher.dispatch-wait", "1m"),
                Map.entry("credential.webhook.dispatcher.request-timeout", "1h"),
                Map.entry("credential.webhook.dispatcher.claim-reclaim-after", "3h"),
                // Later than any test lasts: what is tried again is tried because a test asks for it.
                Map.entry("credential.webhook.dispatcher.retry-backoff.initial", "1h"),
                Map.entry("credential.webhook.dispatcher.retry-backoff.max", "1h"),
                Map.entry("credential.webhook.dispatcher.poll-interval", "1h"));
    }

    @Override
    public void close() throws IOException {
        sample.close();
        partner.close();
        database.close();
    }

    @Override
    public String toString() {
        return kind.name();
    }
}
