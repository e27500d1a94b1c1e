package io.credential.spring.autoconfigure.actuate;

import java.time.OffsetDateTime;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Answers errors of {@link WebhooksEndpoint} with their HTTP statuses and codes. */
@EndpointWebExtension(endpoint = WebhooksEndpoint.class)
final class WebhooksEndpointWebExtension {

    private final WebhooksEndpoint endpoint;
    private final EndpointProblems problems = new WebhookProblems();

    WebhooksEndpointWebExtension(WebhooksEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    WebEndpointResponse<Object> summary() {
        return problems.answer(endpoint::summary);
    }

    @ReadOperation
    WebEndpointResponse<Object> list(
            @Selector String resource,
            @Nullable String endpointId,
            @Nullable String eventType,
            @Nullable String status,
            @Nullable String reason,
            @Nullable Integer limit,
            @Nullable String cursor) {
        return problems.answer(() -> endpoint.list(resource, endpointId, eventType, status, reason, limit, cursor));
    }

    @ReadOperation
    WebEndpointResponse<Object> show(@Selector String resource, @Selector String id) {
        return problems.answer(() -> endpoint.show(resource, id));
    }

    @WriteOperation
    WebEndpointResponse<Object> change(@Selector String resource, @Selector String id, @Selector String operation) {
        return problems.answer(() -> endpoint.change(resource, id, operation));
    }

    @WriteOperation
    WebEndpointResponse<Object> start(
            @Selector String resource,
            @Nullable String endpointId,
            @Nullable String eventType,
            @Nullable String status,
            @Nullable OffsetDateTime createdFrom,
            @Nullable OffsetDateTime createdBefore) {
        return problems.answer(
                () -> endpoint.start(resource, endpointId, eventType, status, createdFrom, createdBefore));
    }
}
