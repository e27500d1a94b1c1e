package io.credential.spring.console.internal.endpoint;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.credential.spring.console.internal.delivery.AttemptedDelivery;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.NewSecret;
import io.credential.spring.console.internal.web.Parameters;
import io.credential.spring.console.internal.web.Reply;
import io.credential.webhook.delivery.DeadLetterQuery;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.Endpoint;
import io.credential.webhook.delivery.SecretRotation;

/** Actions on endpoints, except creating and editing. */
final class EndpointActions {

    /** A year, so that no number is too large for a duration. The dispatcher accepts less. */
    private static final long LONGEST_OVERLAP_HOURS = 8760;

    private final EndpointLookup lookup;

    EndpointActions(EndpointLookup lookup) {
        this.lookup = lookup;
    }

    static String path(Endpoint endpoint) {
        return EndpointsSection.PATH + "/" + endpoint.endpointId();
    }

    Reply pause(ConsoleRequest request, Endpoint endpoint) {
        return lookup.dispatcher().pauseEndpoint(endpoint.endpointId())
                ? Reply.redirect(path(endpoint), "The endpoint is paused. Its deliveries are kept.")
                : EndpointLookup.removed(endpoint.endpointId());
    }

    Reply resume(ConsoleRequest request, Endpoint endpoint) {
        return lookup.dispatcher().resumeEndpoint(endpoint.endpointId())
                ? Reply.redirect(path(endpoint), "The endpoint is active again.")
                : EndpointLookup.removed(endpoint.endpointId());
    }

    Reply test(ConsoleRequest request, Endpoint endpoint) {
        Delivery sent = lookup.dispatcher().sendTestEvent(endpoint.endpointId());
        return AttemptedDelivery.reply(sent);
    }

    Reply replay(ConsoleRequest request, Endpoint endpoint) {
        @Nullable Instant since = request.parameters().time("since").orElse(null);
        int replayed = lookup.dispatcher()
                .dlq()
                .replayAll(new DeadLetterQuery(endpoint.endpointId(), since, null, null, false));
        return Reply.redirect(path(endpoint), "Dead deliveries replayed: " + Formats.count(replayed) + ".");
    }

    Reply rotate(ConsoleRequest request, Endpoint endpoint) {
        return request.once(() -> {
            Endpoint rotated = lookup.dispatcher().rotateSecret(endpoint.endpointId(), rotation(request.parameters()));
            @Nullable String secret = rotated.secret();
            return secret == null
                    ? Reply.redirect(path(endpoint), "The secret of the endpoint was replaced.")
                    : newSecret("The secret was replaced.", rotated, secret);
        });
    }

    private static SecretRotation rotation(Parameters parameters) {
        SecretRotation rotation =
                parameters.exact("secret").map(SecretRotation::to).orElseGet(SecretRotation::generated);
        return parameters
                .number("overlap")
                .map(hours -> rotation.overlap(Duration.ofHours(Math.min(hours, LONGEST_OVERLAP_HOURS))))
                .orElse(rotation);
    }

    /** Returns the page that shows a generated secret, the only time. */
    static Reply newSecret(String done, Endpoint endpoint, String secret) {
        return new NewSecret(
                        done,
                        "Signature secret " + endpoint.kid() + " of " + endpoint.endpointId(),
                        secret,
                        endpoint.previousSecretUntil(),
                        path(endpoint))
                .reply("New secret", EndpointsSection.PATH);
    }

    Reply remove(ConsoleRequest request, Endpoint endpoint) {
        request.parameters().requireTyped(endpoint.endpointId());
        return lookup.dispatcher().removeEndpoint(endpoint.endpointId())
                ? Reply.redirect(
                        EndpointsSection.PATH, "The endpoint was removed. Its pending deliveries are now dead.")
                : EndpointLookup.removed(endpoint.endpointId());
    }
}
