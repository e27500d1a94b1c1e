package io.credential.benchmarks.rivals;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;

import io.credential.internal.concurrent.OwnedSchedule;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;

/**
 * The dispatcher with the defaults of the starter, except the number in flight. Its endpoint has the signatures that the
 * others compute. It commits outcomes without waiting for the disk: after a crash of PostgreSQL, a delivery whose outcome
 * is lost is attempted again.
 */
final class CredentialContender implements Contender {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final int SECRET_BYTES = 32;

    private final JdbcClient jdbc;
    private final Orders orders;
    private final JdbcWebhookDispatcher dispatcher;
    private final OwnedSchedule polls;

    CredentialContender(Setup setup) {
        JdbcTransactionManager transactions = new JdbcTransactionManager(setup.pool());
        SecureRandom random = new SecureRandom();
        this.jdbc = JdbcClient.create(setup.pool());
        this.orders = new Orders(setup.pool(), transactions);
        this.dispatcher = JdbcWebhookDispatcher.builder(
                        CredentialDatabase.of(setup.pool(), transactions), Keyring.generate(random))
                .random(random)
                .destinationPolicy(SignedPosts.policy())
                .transport(setup.transport())
                .maxInFlight(setup.inFlight())
                .maxInFlightPerEndpoint(setup.inFlight())
                .build();
        this.polls = new OwnedSchedule("rivals-poll", GRACE, dispatcher::poll);
        dispatcher.declareSchema();
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        dispatcher.registerEndpoint(EndpointRegistration.of(
                        "receiver",
                        setup.url().toString(),
                        "whsec_" + Base64.getEncoder().encodeToString(secret),
                        Orders.EVENT_TYPE)
                .scheme(SignatureScheme.STANDARD_WEBHOOKS));
    }

    @Override
    public String name() {
        return "credential";
    }

    @Override
    public void publish(int events) {
        orders.place(
                events, () -> dispatcher.dispatch(Orders.EVENT_TYPE, Orders.BODY.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean settled() {
        return jdbc.sql("""
                        select 1 from _credential_webhook_deliveries
                        where delivered_at is null and dead_at is null
                        order by endpoint_id desc, next_attempt_at desc limit 1""").query(Integer.class).list().isEmpty();
    }

    @Override
    public void resume() {
        dispatcher.start();
        polls.start(POLL_INTERVAL, POLL_INTERVAL);
    }

    @Override
    public void pause() {
        polls.stop();
        dispatcher.stop(GRACE);
    }

    @Override
    public void close() {
        polls.stop();
        dispatcher.close();
    }
}
