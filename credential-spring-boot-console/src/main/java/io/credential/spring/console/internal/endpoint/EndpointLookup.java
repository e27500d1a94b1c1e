package io.credential.spring.console.internal.endpoint;

import java.util.Optional;

import org.springframework.http.HttpStatus;

import io.credential.spring.console.internal.templates.JteendpointremovedGenerated;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.Reply;
import io.credential.spring.operations.internal.WebhookOperations;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.delivery.WebhookDispatcherException;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/** Finds the endpoint that a request is about. */
final class EndpointLookup {

    private final WebhookOperations operations;

    EndpointLookup(WebhookOperations operations) {
        this.operations = operations;
    }

    /** Serves a request about an endpoint that existed a moment ago. */
    @FunctionalInterface
    interface Handler {

        /** Returns the response. */
        Reply handle(ConsoleRequest request, Endpoint endpoint);
    }

    JdbcWebhookDispatcher dispatcher() {
        return operations.dispatcher();
    }

    /** Calls the handler with the endpoint whose id is in the path. If it does not exist, or is removed meanwhile, says so. */
    ConsoleRoutes.Handler with(Handler handler) {
        return request -> {
            String id = request.path("id");
            try {
                Optional<Endpoint> endpoint = dispatcher().getEndpoint(id);
                return endpoint.map(found -> handler.handle(request, found)).orElseGet(() -> removed(id));
            } catch (WebhookDispatcherException e) {
                if (e.errorCode() == WebhookDispatcherErrorCode.NOT_FOUND) {
                    return removed(id);
                }
                throw e;
            }
        };
    }

    /** Returns the page for an id that no endpoint has. */
    static Reply removed(String id) {
        return Reply.page(
                HttpStatus.NOT_FOUND,
                "No such endpoint",
                EndpointsSection.PATH,
                (output, page) -> JteendpointremovedGenerated.render(output, null, page, id));
    }
}
