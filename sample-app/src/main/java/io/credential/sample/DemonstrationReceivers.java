package io.credential.sample;

import java.util.Set;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.credential.webhook.signature.VerifiedWebhook;

/** Receives the webhooks of the demonstration, signed with the key of application.yml. */
@RestController
class DemonstrationReceivers {

    static final String HEALTHY = "/demonstration/healthy";
    static final String SLOW = "/demonstration/slow";
    static final String FAILING = "/demonstration/failing";
    static final Set<String> PATHS = Set.of(HEALTHY, SLOW, FAILING);

    private static final long SLOW_MILLIS = 700;

    @PostMapping(HEALTHY)
    Received healthy(VerifiedWebhook webhook) {
        return new Received(webhook.kid());
    }

    @PostMapping(SLOW)
    Received slow(VerifiedWebhook webhook) throws InterruptedException {
        Thread.sleep(SLOW_MILLIS);
        return new Received(webhook.kid());
    }

    @PostMapping(FAILING)
    Received failing(VerifiedWebhook webhook) {
        throw new ResponseStatusException(
                HttpStatus.SERVICE_UNAVAILABLE, "The demonstration's failing receiver accepts no webhook");
    }

    record Received(String kid) {}
}
