package io.credential.sample;

import java.net.URI;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

import io.credential.spring.autoconfigure.properties.ConsoleProperties;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Redirects browsers from {@code /} to the console, or to the demonstration until an endpoint is registered. Does not serve
 * other clients.
 */
@Configuration(proxyBeanMethods = false)
class HomePage {

    /** The mapping of a controller would also match clients that accept anything. */
    private static final RequestPredicate BROWSER = RequestPredicates.headers(
            headers -> headers.accept().stream().anyMatch(MediaType.TEXT_HTML::equalsTypeAndSubtype));

    @Bean
    RouterFunction<ServerResponse> home(ConsoleProperties console, WebhookDispatcher dispatcher) {
        return RouterFunctions.route()
                .GET(
                        "/",
                        BROWSER,
                        request -> ServerResponse.seeOther(target(request, console, dispatcher))
                                .build())
                .build();
    }

    private static URI target(ServerRequest request, ConsoleProperties console, WebhookDispatcher dispatcher) {
        boolean nothingToSee = dispatcher.listEndpoints(null, 1).isEmpty();
        String path = nothingToSee ? DemonstrationController.PATH : console.path() + "/";
        return URI.create(request.requestPath().contextPath().value() + path);
    }
}
