package io.credential.sample;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.Deliveries;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.DeliveryQuery;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.RetryResult;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;

/** Lists deliveries, and retries them. */
@RestController
@RequestMapping("/deliveries")
@RequiresScope("webhooks:admin")
class DeliveryController {

    private final WebhookDispatcher dispatcher;
    private final Deliveries deliveries;

    DeliveryController(WebhookDispatcher dispatcher) {
        this.dispatcher = dispatcher;
        this.deliveries = dispatcher.deliveries();
    }

    @GetMapping
    List<Delivery> list(
            @RequestParam(required = false) @Nullable String endpointId,
            @RequestParam(required = false) @Nullable String status,
            @RequestParam(defaultValue = "" + DeliveryQuery.DEFAULT_LIMIT) int limit) {
        DeliveryQuery query = DeliveryQuery.all().withLimit(limit);
        if (StringUtils.hasLength(endpointId)) {
            query = query.withEndpoint(endpointId);
        }
        if (StringUtils.hasLength(status)) {
            query = query.withStatus(statusOf(status));
        }
        return deliveries.list(query);
    }

    @GetMapping("/{id}")
    Delivery get(@PathVariable String id) {
        return deliveries
                .get(id)
                .orElseThrow(() -> new WebhookDispatcherException(
                        WebhookDispatcherErrorCode.NOT_FOUND, "No delivery has this id"));
    }

    @PostMapping("/{id}/retry")
    Delivery retry(@PathVariable String id) {
        return deliveries.retry(id);
    }

    @PostMapping("/process-retries")
    RetryResult processRetries() {
        return dispatcher.processRetries();
    }

    private static DeliveryStatus statusOf(String text) {
        return DeliveryStatus.ofText(text)
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.BAD_REQUEST, "status must be one of: pending, in-flight, delivered, dead"));
    }
}
