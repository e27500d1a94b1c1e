package io.credential.sample;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.cluster.NotLeaderException;

/** Issues the key that all others are made with, and prints it once: whoever starts the application first gets in. */
@Component
class FirstAdminKey implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(FirstAdminKey.class);
    private static final String OWNER = "admin";

    private final ApiKeyRegistry registry;

    FirstAdminKey(ApiKeyRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void run(ApplicationArguments args) {
        ListOptions anyState = ListOptions.defaults().withRevoked().withExpired();
        if (!registry.listForOwner(OWNER, anyState).keys().isEmpty()) {
            return;
        }
        try {
            IssuedApiKey admin = registry.issue(
                    IssueRequest.forOwner(OWNER).scopes("keys:admin", "webhooks:admin", "orders:read", "orders:write"));
            System.out.println("Admin key, shown only this once: " + admin.key());
        } catch (NotLeaderException e) {
            LOG.info("Another node leads the cluster, and prints the admin key");
        }
    }
}
