package io.credential.webhook.delivery;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import io.credential.audit.AuditEvent;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.MutableClock;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;
import io.credential.webhook.delivery.internal.queue.DispatcherTables;
import io.credential.webhook.http.DestinationPolicy;
import io.credential.webhook.http.WebhookResponse;
import io.credential.webhook.replay.NonceStore;
import io.credential.webhook.signature.VerifiedWebhook;
import io.credential.webhook.signature.WebhookVerifier;

/** A dispatcher over a real database, with its own receiver and a clock that moves only when told. */
public final class DispatcherFixture implements AutoCloseable {

    public static final String SECRET = "a secret of the endpoint";

    public final MutableClock clock = MutableClock.atNewYear();
    public final HookReceiver receiver = new HookReceiver();
    public final DispatcherRows rows;
    public final Keyring keyring = Keyring.generate(new SecureRandom());
    public final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
    public final JdbcWebhookDispatcher dispatcher;
    private final TestDatabase test;
    private final List<JdbcWebhookDispatcher> opened = new ArrayList<>();
    private final List<Polling> polls = new ArrayList<>();

    public DispatcherFixture(TestDatabase test) {
        this(test, UnaryOperator.identity());
    }

    public DispatcherFixture(TestDatabase test, UnaryOperator<JdbcWebhookDispatcherBuilder> options) {
        this.test = test;
        this.rows = new DispatcherRows(test);
        rows.sql("DELETE FROM _credential_leases").update();
        this.dispatcher = node(options);
    }

    /** A node that may send to this machine. */
    static JdbcWebhookDispatcherBuilder builder(CredentialDatabase database, Keyring keyring, InstantSource clock) {
        return JdbcWebhookDispatcher.builder(database, keyring)
                .clock(clock)
                .destinationPolicy(DestinationPolicy.builder()
                        .allowInternalDestinations(true)
                        .build());
    }

    /** A node that sends nothing, as if every endpoint accepted everything at once. */
    static JdbcWebhookDispatcherBuilder withoutHttp(CredentialDatabase database, InstantSource clock) {
        return builder(database, Keyring.generate(new SecureRandom()), clock)
                .transport(request -> CompletableFuture.completedFuture(new WebhookResponse(200, "", null)));
    }

    public CredentialDatabase database() {
        return test.database();
    }

    /** For tests with attempts that must not time out while they run. */
    public static JdbcWebhookDispatcherBuilder patient(JdbcWebhookDispatcherBuilder options) {
        return options.requestTimeout(Duration.ofHours(1)).claimReclaimAfter(Duration.ofHours(3));
    }

    /** Another node on the same database. */
    public JdbcWebhookDispatcher node(UnaryOperator<JdbcWebhookDispatcherBuilder> options) {
        return node(test.database(), options);
    }

    /** Another node, with its own path to the database. */
    public JdbcWebhookDispatcher node(CredentialDatabase path, UnaryOperator<JdbcWebhookDispatcherBuilder> options) {
        JdbcWebhookDispatcher node = options.apply(builder(path, keyring, clock)
                        .dispatchWait(Duration.ofMinutes(1)) // longer than any attempt
                        .retryBackoff(new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(60), 2, 0))
                        .auditSink(audited::add))
                .build();
        opened.add(node);
        return node;
    }

    /** Polls a node until the end of the test. */
    public void poll(JdbcWebhookDispatcher node, Duration interval) {
        polls.add(new Polling(node, interval));
    }

    /** Registers an endpoint for every event at a path of the receiver. */
    public Endpoint endpoint(String endpointId, String path) {
        return endpoint(endpointId, path, "*");
    }

    public Endpoint endpoint(String endpointId, String path, String... eventTypes) {
        return dispatcher.registerEndpoint(EndpointRegistration.of(endpointId, receiver.url(path), SECRET, eventTypes));
    }

    /** Verifies a webhook as its receiver would. */
    public VerifiedWebhook verify(HookReceiver.Hook hook) {
        return verify(hook, WebhookVerifier.builder());
    }

    /** Verifies a webhook as a receiver would that accepts none twice. */
    public VerifiedWebhook verify(HookReceiver.Hook hook, NonceStore nonces) {
        return verify(hook, WebhookVerifier.builder().nonceStore(nonces));
    }

    private VerifiedWebhook verify(HookReceiver.Hook hook, WebhookVerifier.Builder verifier) {
        return verifier.algorithm("hmac-sha3-512")
                .key("v1", SECRET)
                .clock(clock)
                .build()
                .verify(hook.body().getBytes(StandardCharsets.UTF_8), hook.headers());
    }

    /** Waits until the condition holds. */
    public void await(BooleanSupplier condition) {
        Patience.until(condition::getAsBoolean);
    }

    /** Gives a node a lease that nobody renews. */
    public void lease(String owner, long epoch) {
        lease(owner, DispatcherTables.DEFAULT_DELIVERIES, epoch);
    }

    /** Gives a node with these deliveries a lease that nobody renews. */
    public void lease(String owner, String deliveriesTable, long epoch) {
        rows.sql("INSERT INTO _credential_leases (name, holder, epoch, expires_at) VALUES (:name, :holder, :epoch, 1)")
                .param("name", "webhook-dispatcher/" + owner)
                .param("holder", deliveriesTable)
                .param("epoch", epoch)
                .update();
    }

    public Delivery delivery(String deliveryId) {
        return dispatcher.deliveries().get(deliveryId).orElseThrow();
    }

    @Override
    public void close() {
        receiver.close();
        polls.forEach(Polling::close);
        opened.forEach(node -> node.close(Duration.ofSeconds(2)));
    }
}
