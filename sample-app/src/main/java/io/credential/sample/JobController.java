package io.credential.sample;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.BulkJob;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Shows the progress of bulk retries. */
@RestController
@RequestMapping("/jobs")
@RequiresScope("webhooks:admin")
class JobController {

    private final Deliveries deliveries;

    JobController(WebhookDispatcher dispatcher) {
        this.deliveries = dispatcher.deliveries();
    }

    @GetMapping("/{id}")
    BulkJob get(@PathVariable String id) {
        return deliveries
                .job(id)
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.NOT_FOUND, "No bulk retry has this id"));
    }
}
