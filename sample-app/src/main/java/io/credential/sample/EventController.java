package io.credential.sample;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.credential.spring.autoconfigure.properties.WebhookDispatcherProperties;
import io.credential.spring.security.RequiresScope;
import io.credential.webhook.delivery.DispatchOptions;
import io.credential.webhook.delivery.DispatchResult;
import io.credential.webhook.delivery.WebhookDispatcher;

/**
 * Sends an event to its subscribers. Waits for the outcomes of the first attempts, unless the client prefers not to
 * ({@code Prefer: respond-async}, RFC 7240).
 */
@RestController
class EventController {

    private static final String RESPOND_ASYNC = "respond-async";
    private static final String EVERY_AUDIENCE = "*";

    /** An empty value is the same as none; parameters are ignored. */
    private static final Pattern IS_RESPOND_ASYNC =
            Pattern.compile(RESPOND_ASYNC + "\\s*(=\\s*(\"\")?\\s*)?(;.*)?", Pattern.CASE_INSENSITIVE);

    private final WebhookDispatcher dispatcher;
    private final int maxPayloadBytes;

    EventController(WebhookDispatcher dispatcher, WebhookDispatcherProperties properties) {
        this.dispatcher = dispatcher;
        this.maxPayloadBytes = (int) properties.maxPayloadSize().toBytes();
    }

    /**
     * The payload is the body, verbatim. One byte more than the dispatcher accepts is enough for it to reject the
     * payload. The body must be the first parameter: if a request parameter were read first, Tomcat would parse a form,
     * and the body would be empty.
     */
    @PostMapping("/events/{eventType}")
    @RequiresScope("webhooks:admin")
    ResponseEntity<DispatchResult> dispatch(
            InputStream body,
            @PathVariable String eventType,
            @RequestParam(required = false) @Nullable String audience,
            @RequestHeader HttpHeaders headers)
            throws IOException {
        byte[] payload = body.readNBytes(maxPayloadBytes + 1);
        DispatchOptions options = options(audience);
        if (prefersAsync(headers)) {
            return ResponseEntity.accepted()
                    .header("Preference-Applied", RESPOND_ASYNC)
                    .body(dispatcher.enqueue(eventType, payload, options));
        }
        return ResponseEntity.ok(dispatcher.dispatch(eventType, payload, options));
    }

    private static DispatchOptions options(@Nullable String audience) {
        DispatchOptions none = DispatchOptions.none();
        if (audience == null) {
            return none;
        }
        return audience.equals(EVERY_AUDIENCE) ? none.toEveryAudience() : none.withAudience(audience);
    }

    /** Ignores unknown and malformed preferences. */
    private static boolean prefersAsync(HttpHeaders headers) {
        return headers.getOrEmpty("Prefer").stream()
                .flatMap(value -> MimeTypeUtils.tokenize(value).stream()) // at commas outside quotes
                .anyMatch(preference ->
                        IS_RESPOND_ASYNC.matcher(preference.strip()).matches());
    }
}
