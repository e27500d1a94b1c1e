package io.credential.webhook.delivery;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.ChildProcess;
import io.credential.testing.DatabaseKind;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcher;
import io.credential.webhook.delivery.internal.JdbcWebhookDispatcherBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/** A real database, a receiver, a dispatcher of this process without background work, and nodes in their own processes. */
public final class NodesFixture implements AutoCloseable {

    private static final int KEY_BYTES = 32;
    private static final int HEAP_MEGABYTES = 256;

    public final CountingReceiver receiver = new CountingReceiver();
    public final DispatcherRows rows;
    public final JdbcWebhookDispatcher dispatcher;
    final String key;
    private final TestDatabase test;
    private final List<ChildProcess> started = new ArrayList<>();
    private final List<Polling> polls = new ArrayList<>();

    public NodesFixture(DatabaseKind kind) {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        this.key = HexFormat.of().formatHex(bytes);
        this.test = TestDatabase.create(kind);
        this.rows = new DispatcherRows(test);
        this.dispatcher = dispatcher();
    }

    public ChildProcess node(String... options) {
        return process(DispatcherNode.class, options).awaitLines(1, DispatcherNode.STARTED::equals);
    }

    public ChildProcess process(Class<?> main, String... options) {
        return process(HEAP_MEGABYTES, main, options);
    }

    public ChildProcess process(int heapMegabytes, Class<?> main, String... options) {
        ChildProcess process =
                ChildProcess.start(heapMegabytes, main, DispatcherNode.arguments(test.jdbcUrl(), key, options));
        started.add(process);
        return process;
    }

    /** A dispatcher of this process that works in the background, with its own path to the database; the test closes it. */
    public JdbcWebhookDispatcher started(
            CredentialDatabase path, UnaryOperator<JdbcWebhookDispatcherBuilder> options, String... arguments) {
        String[] all = DispatcherNode.arguments(test.jdbcUrl(), key, arguments);
        JdbcWebhookDispatcher node = DispatcherNode.started(options.apply(DispatcherNode.builder(path, all)));
        polls.add(new Polling(node, DispatcherNode.pollInterval(all)));
        return node;
    }

    /** A dispatcher of this process with options like those of a node; the test closes it. */
    JdbcWebhookDispatcher dispatcher(String... options) {
        return dispatcher(InstantSource.system(), options);
    }

    JdbcWebhookDispatcher dispatcher(InstantSource clock, String... options) {
        return DispatcherNode.builder(test.database(), DispatcherNode.arguments(test.jdbcUrl(), key, options))
                .clock(clock)
                .build();
    }

    public CredentialDatabase database() {
        return test.database();
    }

    public String jdbcUrl() {
        return test.jdbcUrl();
    }

    /** Registers an endpoint at the path of its name. */
    public void endpoint(String endpointId, String... eventTypes) {
        endpointAt("/" + endpointId, endpointId, eventTypes);
    }

    /** Registers an endpoint at a path that others may share. */
    public void endpointAt(String path, String endpointId, String... eventTypes) {
        dispatcher.registerEndpoint(
                EndpointRegistration.of(endpointId, receiver.url(path), DispatcherFixture.SECRET, eventTypes));
    }

    public long count(String fromWhere) {
        return rows.sql("SELECT count(*) FROM " + fromWhere).query(Long.class).single();
    }

    /** Waits until no row is left. */
    public void awaitNone(String fromWhere) {
        Patience.untilNone(fromWhere, () -> count(fromWhere));
    }

    /** Waits until the leases of the nodes have been renewed so often in all, each of them once a second. */
    public void awaitRenewals(int count) {
        long before = renewals();
        Patience.until(() -> renewals() >= before + count);
    }

    private long renewals() {
        return rows.sql("SELECT sum(epoch) FROM _credential_leases")
                .query(Long.class)
                .single();
    }

    public Set<String> deliveryIds(String where) {
        return new HashSet<>(rows.sql("SELECT delivery_id FROM {deliveries} WHERE " + where)
                .query(String.class)
                .list());
    }

    /** Every delivery that is delivered became so by one attempt of all. */
    void assertDeliveredOnceEach() {
        assertThat(rows.sql("""
                        SELECT d.delivery_id FROM {deliveries} d LEFT JOIN {attempts} a
                            ON a.delivery_id = d.delivery_id AND a.response_status = 200
                        WHERE d.status = 'delivered' GROUP BY d.delivery_id HAVING count(a.delivery_id) <> 1""").query(String.class).list())
                .as("delivered, but not by exactly one attempt")
                .isEmpty();
    }

    @Override
    public void close() {
        polls.forEach(Polling::close);
        started.forEach(ChildProcess::close);
        receiver.close();
        dispatcher.close(Duration.ZERO);
        test.close();
    }
}
