package io.credential.sample;

import java.io.IOException;
import java.io.InputStream;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.autoconfigure.CredentialProperties;
import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.WebhookDispatcher;

/** Sends an event to whoever subscribes to it, and waits for what comes of the first attempts. */
@RestController
class EventController {

    private final WebhookDispatcher dispatcher;
    private final int maxPayloadBytes;

    EventController(WebhookDispatcher dispatcher, CredentialProperties properties) {
        this.dispatcher = dispatcher;
        this.maxPayloadBytes =
                (int) properties.webhook().dispatcher().maxPayloadSize().toBytes();
    }

    /** The bytes are the payload as they are. One more than the dispatcher takes is enough to be refused by it. */
    @PostMapping("/events/{eventType}")
    @RequiresScope("webhooks:admin")
    DispatchResult dispatch(@PathVariable String eventType, InputStream body) throws IOException {
        return dispatcher.dispatch(eventType, body.readNBytes(maxPayloadBytes + 1));
    }
}
