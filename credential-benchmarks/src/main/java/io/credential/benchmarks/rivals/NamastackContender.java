package io.credential.benchmarks.rivals;

import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;

/**
 * namastack-outbox with its JDBC starter, in the profile that its performance guide recommends for low latency: polls
 * every 25 ms, for 800 keys at a time. Differences:
 *
 * <ul>
 *   <li>As many events are handled at once as webhooks are in flight: by virtual threads where the JDK has them, which
 *       the guide advises "if handlers block on external I/O", and by platform threads on older JDKs.
 *   <li>There is one instance, because all contenders run in one process.
 *   <li>Each event has its own key, because events with the same key are handled one after the other.
 * </ul>
 *
 * It keeps completed records, as its guide does, and waits for the disk when it completes one.
 */
final class NamastackContender implements Contender {

    static {
        // Otherwise Spring Boot takes the logging of the harness with it when its context is closed.
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
    }

    private final JdbcClient jdbc;
    private final Orders orders;
    private final ConfigurableApplicationContext context;
    private final Outbox outbox;
    private final OutboxProcessingScheduler processing;

    NamastackContender(Setup setup) {
        this.jdbc = JdbcClient.create(setup.pool());
        SignedPosts posts = new SignedPosts(setup.url(), setup.transport());
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(properties(setup.inFlight()))
                .initializers((GenericApplicationContext starting) -> {
                    starting.getBeanFactory().registerSingleton("dataSource", setup.pool());
                    starting.registerBean(PlacedHandler.class, () -> new PlacedHandler(posts));
                })
                .run();
        this.orders = new Orders(setup.pool(), context.getBean(PlatformTransactionManager.class));
        this.outbox = context.getBean(Outbox.class);
        this.processing = context.getBean(OutboxProcessingScheduler.class);
        pause();
    }

    private static Map<String, Object> properties(int inFlight) {
        return Map.ofEntries(
                Map.entry("spring.threads.virtual.enabled", true),
                Map.entry("namastack.outbox.polling.trigger", "fixed"),
                Map.entry("namastack.outbox.polling.batch-size", 800),
                Map.entry("namastack.outbox.polling.fixed.interval", "25ms"),
                Map.entry("namastack.outbox.processing.delete-completed-records", false),
                Map.entry("namastack.outbox.processing.stop-on-first-failure", true),
                Map.entry("namastack.outbox.processing.executor-concurrency-limit", inFlight),
                Map.entry("namastack.outbox.processing.executor-core-pool-size", inFlight),
                Map.entry("namastack.outbox.processing.executor-max-pool-size", inFlight),
                Map.entry("namastack.outbox.instance.heartbeat-interval", "1s"),
                Map.entry("namastack.outbox.instance.stale-instance-timeout", "10s"),
                Map.entry("namastack.outbox.instance.rebalance-interval", "1s"));
    }

    @Override
    public String name() {
        return "namastack-outbox";
    }

    @Override
    public void publish(int events) {
        orders.place(events, () -> outbox.schedule(new Placed(Orders.BODY)));
    }

    @Override
    public boolean settled() {
        return jdbc.sql("select 1 from outbox_record where status in ('NEW', 'FAILED') limit 1")
                .query(Integer.class)
                .list()
                .isEmpty();
    }

    @Override
    public void resume() {
        processing.start();
    }

    @Override
    public void pause() {
        processing.stop();
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Public, because it is called by reflection. */
    public record Placed(String body) {}

    /** Public, because it is called by reflection. */
    public static final class PlacedHandler implements OutboxTypedHandler<Placed> {

        private final SignedPosts posts;

        PlacedHandler(SignedPosts posts) {
            this.posts = posts;
        }

        @Override
        public void handle(Placed payload, OutboxRecordMetadata metadata) {
            posts.send(metadata.getKey(), payload.body());
        }
    }
}
