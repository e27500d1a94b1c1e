package io.credential.sample;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.apikey.NotLeaderException;

/**
 * Issues the first key at the first start, prints it once and writes it to a file. It is valid for 30 days. The first
 * start is recorded with the key in one transaction: even if the key is revoked and purged, a later start does not
 * issue another one.
 */
@Component
class FirstAdminKey implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(FirstAdminKey.class);
    private static final String OWNER = "admin";
    private static final String FILE = "first-admin-key";
    private static final Duration LIFETIME = Duration.ofDays(30);

    private final ApiKeyRegistry registry;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final InstantSource clock;
    private final SecretFiles files;

    FirstAdminKey(
            ApiKeyRegistry registry,
            JdbcClient jdbc,
            TransactionTemplate transaction,
            InstantSource clock,
            SecretFiles files) {
        this.registry = registry;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.clock = clock;
        this.files = files;
    }

    @Override
    public void run(ApplicationArguments args) {
        try {
            Optional<IssuedApiKey> admin = transaction.execute(status -> issueAtFirstStart());
            admin.ifPresent(this::announce);
        } catch (NotLeaderException e) {
            LOG.info("Another node leads the cluster, and prints the admin key");
        }
    }

    private void announce(IssuedApiKey admin) {
        System.out.println("Admin key, shown only this once: " + admin.key());
        LOG.info("The admin key expires at {} and was written to {}", admin.expiresAt(), files.path(FILE));
    }

    private Optional<IssuedApiKey> issueAtFirstStart() {
        int written = jdbc.sql("insert into first_start (only_row, made_at) values (1, :now) on conflict do nothing")
                .param("now", clock.millis())
                .update();
        // Databases of earlier versions have keys but no row.
        ListOptions anyState = ListOptions.defaults().withRevoked().withExpired();
        if (written == 0 || !registry.listForOwner(OWNER, anyState).keys().isEmpty()) {
            return Optional.empty();
        }
        IssuedApiKey admin = registry.issue(IssueRequest.forOwner(OWNER)
                .name("first admin key")
                .scopes(
                        "keys:admin",
                        "webhooks:admin",
                        "orders:read",
                        "orders:write",
                        "actuator:read",
                        "actuator:write")
                .expiresAt(clock.instant().plus(LIFETIME)));
        // Before the commit: otherwise, if this fails, nobody could read the key.
        files.write(FILE, admin.key());
        return Optional.of(admin);
    }
}
