package io.credential.sample;

import java.io.IOException;
import java.io.InputStream;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.autoconfigure.properties.CredentialProperties;
import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Sends an event to whoever subscribes to it. Waits for the outcomes of the first attempts, unless the client prefers not
 * to ({@code Prefer: respond-async}, RFC 7240).
 */
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
    ResponseEntity<DispatchResult> dispatch(
            @PathVariable String eventType,
            @RequestParam(required = false) @Nullable String audience,
            @RequestHeader HttpHeaders headers,
            InputStream body)
            throws IOException {
        byte[] payload = body.readNBytes(maxPayloadBytes + 1);
        DispatchOptions options = DispatchOptions.none();
        if (audience != null) {
            options = options.withAudience(audience);
        }
        if (Preferences.of(headers).respondAsync()) {
            return ResponseEntity.accepted()
                    .header(Preferences.APPLIED, Preferences.RESPOND_ASYNC)
                    .body(dispatcher.enqueue(eventType, payload, options));
        }
        return ResponseEntity.ok(dispatcher.dispatch(eventType, payload, options));
    }
}
