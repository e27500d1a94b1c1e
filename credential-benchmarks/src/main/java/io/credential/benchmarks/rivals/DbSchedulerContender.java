package io.credential.benchmarks.rivals;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;

/**
 * db-scheduler with one one-time task for each event, as its README advises:
 *
 * <ul>
 *   <li>Polling strategy {@code lock-and-fetch}, "if you are running >1000 executions/s", with limits of 1.0 and 4.0 "for
 *       high throughput (i.e. keep threads busy)".
 *   <li>As many threads as webhooks are in flight, because a task blocks its thread.
 *   <li>{@code TransactionAwareDataSourceProxy}, so that a task is scheduled in the caller's transaction; its Spring Boot
 *       starter does the same.
 *   <li>{@code triggerCheckForDueExecutions} after each commit. {@code enableImmediateExecution} calls it before the
 *       commit, where it may look too early: "it is still persisted though", and executed after the {@code
 *       pollingInterval}.
 *   <li>The table of its documentation for PostgreSQL without what only priorities need.
 * </ul>
 *
 * It deletes executed tasks and waits for the disk when it does.
 */
final class DbSchedulerContender implements Contender {

    private static final TaskDescriptor<String> WEBHOOK = TaskDescriptor.of("webhook", String.class);

    /** What limits of fetched executions are relative to is the number of threads. */
    private static final double LOWER_LIMIT = 1.0;

    private static final double UPPER_LIMIT = 4.0;

    /** The default is 10 s; the dispatcher polls every second, too. */
    private static final Duration POLLING_INTERVAL = Duration.ofSeconds(1);

    private static final String TABLE = """
            create table scheduled_tasks (
              task_name text not null,
              task_instance text not null,
              task_data bytea,
              execution_time timestamp with time zone not null,
              picked boolean not null,
              picked_by text,
              last_success timestamp with time zone,
              last_failure timestamp with time zone,
              consecutive_failures int,
              last_heartbeat timestamp with time zone,
              version bigint not null,
              primary key (task_name, task_instance)
            )""";

    private final JdbcClient jdbc;
    private final Orders orders;
    private final Scheduler scheduler;
    private final AtomicLong ids = new AtomicLong();

    DbSchedulerContender(Setup setup) {
        this.jdbc = JdbcClient.create(setup.pool());
        this.orders = new Orders(setup.pool(), new JdbcTransactionManager(setup.pool()));
        jdbc.sql(TABLE).update();
        jdbc.sql("create index execution_time_idx on scheduled_tasks (execution_time)")
                .update();
        jdbc.sql("create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)")
                .update();
        SignedPosts posts = new SignedPosts(setup.url(), setup.transport());
        this.scheduler = Scheduler.create(
                        new TransactionAwareDataSourceProxy(setup.pool()),
                        Tasks.oneTime(WEBHOOK)
                                .execute((instance, context) -> posts.send(instance.getId(), instance.getData())))
                .threads(setup.inFlight())
                .pollUsingLockAndFetch(LOWER_LIMIT, UPPER_LIMIT)
                .pollingInterval(POLLING_INTERVAL)
                .build();
        scheduler.pause();
        scheduler.start();
    }

    @Override
    public String name() {
        return "db-scheduler";
    }

    @Override
    public void publish(int events) {
        orders.place(events, () -> {
            scheduler.schedule(WEBHOOK.instance(Long.toString(ids.incrementAndGet()))
                    .data(Orders.BODY)
                    .scheduledTo(Instant.now()));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    scheduler.triggerCheckForDueExecutions();
                }
            });
        });
    }

    @Override
    public boolean settled() {
        return jdbc.sql("select 1 from scheduled_tasks limit 1")
                .query(Integer.class)
                .list()
                .isEmpty();
    }

    @Override
    public void resume() {
        scheduler.resume();
        scheduler.triggerCheckForDueExecutions();
    }

    @Override
    public void pause() {
        scheduler.pause();
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
