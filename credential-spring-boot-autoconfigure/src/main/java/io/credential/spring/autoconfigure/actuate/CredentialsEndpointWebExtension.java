package io.credential.spring.autoconfigure.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Answers errors of {@link CredentialsEndpoint} with their HTTP statuses and codes. */
@EndpointWebExtension(endpoint = CredentialsEndpoint.class)
final class CredentialsEndpointWebExtension {

    private final CredentialsEndpoint endpoint;
    private final EndpointProblems problems = new ApiKeyProblems();

    CredentialsEndpointWebExtension(CredentialsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @ReadOperation
    WebEndpointResponse<Object> registries() {
        return problems.answer(endpoint::registries);
    }

    @ReadOperation
    WebEndpointResponse<Object> keys(
            @Selector String registry, @Nullable String show, @Nullable Integer limit, @Nullable String cursor) {
        return problems.answer(() -> endpoint.keys(registry, show, limit, cursor));
    }

    @ReadOperation
    WebEndpointResponse<Object> key(@Selector String registry, @Selector String id) {
        return problems.answer(() -> endpoint.key(registry, id));
    }

    @WriteOperation
    WebEndpointResponse<Object> change(@Selector String registry, @Selector String id, @Selector String operation) {
        return problems.answer(() -> endpoint.change(registry, id, operation));
    }
}
