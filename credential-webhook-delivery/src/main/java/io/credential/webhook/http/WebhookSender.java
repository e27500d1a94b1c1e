package io.credential.webhook.http;

import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditCaller;
import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.webhook.WebhookException;
import io.credential.webhook.internal.WebhookOptions;
import io.credential.webhook.signature.WebhookSigner;
import io.credential.webhook.signature.internal.UlidGenerator;

/**
 * Sends signed webhooks and stores nothing. Threads and sockets are created with the first webhook. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WebhookSender implements AutoCloseable {

    private static final String EVENT = "webhook.send";

    private final OwnedHttp http;
    private final Route common;
    private final Map<String, Route> routes;
    private final SendCall.Pauses pauses;
    private final UlidGenerator deliveryIds;

    private WebhookSender(Builder builder) {
        this.http = new OwnedHttp(builder.http);
        this.common =
                new Route(http::get, builder.retry, builder.auditTrail(builder.auditSuccess, builder.auditFailures));
        this.routes = new HashMap<>();
        builder.signers.forEach((name, options) -> routes.put(
                name,
                new Route(
                        options::http,
                        options.retry(),
                        builder.auditTrail(options.auditSuccess(), options.auditFailures()))));
        this.pauses = new SendCall.Pauses(builder.pause, builder.random, builder.clock);
        this.deliveryIds = new UlidGenerator(builder.clock, builder.random);
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Signs a body and posts it as {@code application/json}. Transport errors, 429, 5xx, and names that do not resolve or
     * resolve to a forbidden address are retried, each time with a fresh id and signature; the header {@link
     * WebhookSigner#DELIVERY_ID_HEADER} is the same in all attempts. Redirects are not followed. Blocks until the outcome is
     * known, including the pauses between attempts, which {@code Retry-After} lengthens up to {@link SendRetry#max()}.
     *
     * @param url must pass the destination policy, which rejects null
     * @param body the bytes to send, exactly
     * @throws WebhookException {@code webhook/unsafe-destination} if webhooks may not be sent there, {@code
     *     webhook/send-failed} if no attempt was accepted, {@code webhook/bad-opt} if the signer is null, and as {@link
     *     WebhookSigner#sign}
     */
    public SendResult send(WebhookSigner signer, @Nullable URI url, byte @Nullable [] body) {
        WebhookOptions.required(signer, "signer");
        Route route = routes.getOrDefault(signer.name(), common);
        SendCall call = new SendCall(signer, route.http().get(), route.retry(), pauses, deliveryIds.next());
        try {
            SendResult result = call.send(url, body);
            route.audit()
                    .successReport(EVENT, call.deliveryId(), () -> facts(signer, call))
                    .run();
            return result;
        } catch (WebhookException e) {
            route.audit().failure(EVENT, e.errorCode().reason(), call.deliveryId(), facts(signer, call));
            throw e;
        } catch (RuntimeException e) {
            route.audit().failure(EVENT, "error", call.deliveryId(), facts(signer, call));
            throw e;
        }
    }

    /** Closes the sender's own connections. Those that it was given stay open. */
    @Override
    public void close() {
        http.close();
    }

    private static Map<String, Object> facts(WebhookSigner signer, SendCall call) {
        return Map.of(
                "signer",
                signer.name(),
                "algorithm",
                signer.algorithm(),
                "kid",
                signer.kid(),
                "attempts",
                call.attempts());
    }

    /** How the webhooks of a signer are sent and audited. */
    private record Route(Supplier<SendHttp> http, SendRetry retry, AuditTrail audit) {}

    /**
     * Collects the options of a {@link WebhookSender}. A null argument fails with {@code webhook/bad-opt} unless null
     * is allowed. Not thread-safe.
     */
    public static final class Builder {

        private final Map<String, SendOptions> signers = new HashMap<>();
        private @Nullable SendHttp http;
        private SendRetry retry = SendRetry.defaults();
        private SendCall.Pause pause = length -> Thread.sleep(length.toMillis());
        private InstantSource clock = InstantSource.system();
        private SecureRandom random = new SecureRandom();
        private AuditSink audit = AuditSink.none();
        private AuditCaller caller = () -> null;
        private boolean auditSuccess = true;
        private boolean auditFailures = true;

        private Builder() {}

        /** Default, and null: the sender's own, which allows only public addresses. */
        public Builder http(@Nullable SendHttp http) {
            this.http = http;
            return this;
        }

        /** The attempts and the pauses between them. Default: {@link SendRetry#defaults()}. */
        public Builder retry(SendRetry retry) {
            this.retry = WebhookOptions.required(retry, "retry");
            return this;
        }

        /** Sends the webhooks of signers with this name in another way. Default: all in the same way. */
        public Builder signer(String name, SendOptions options) {
            signers.put(WebhookOptions.required(name, "name"), WebhookOptions.required(options, "options"));
            return this;
        }

        /** Default: the system clock. */
        public Builder clock(InstantSource clock) {
            this.clock = WebhookOptions.required(clock, "clock");
            return this;
        }

        /** Sets the source of delivery ids and of the randomness of pauses. Default: a new {@link SecureRandom}. */
        public Builder random(SecureRandom random) {
            this.random = WebhookOptions.required(random, "random");
            return this;
        }

        /** Default: none. */
        public Builder audit(AuditSink audit) {
            this.audit = WebhookOptions.required(audit, "audit");
            return this;
        }

        /** Supplies who is acting on the calling thread; default: unknown. */
        public Builder auditCaller(AuditCaller caller) {
            this.caller = WebhookOptions.required(caller, "auditCaller");
            return this;
        }

        /** Whether accepted webhooks are audited; default: true. */
        public Builder auditSuccess(boolean auditSuccess) {
            this.auditSuccess = auditSuccess;
            return this;
        }

        /** Whether webhooks that were not accepted are audited; default: true. */
        public Builder auditFailures(boolean auditFailures) {
            this.auditFailures = auditFailures;
            return this;
        }

        Builder pause(SendCall.Pause pause) {
            this.pause = pause;
            return this;
        }

        public WebhookSender build() {
            return new WebhookSender(this);
        }

        private AuditTrail auditTrail(boolean success, boolean failures) {
            return new AuditTrail(audit, caller, clock, "webhook", success, failures);
        }
    }
}
