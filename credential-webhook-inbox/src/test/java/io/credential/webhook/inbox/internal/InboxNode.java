package io.credential.webhook.inbox.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.audit.AuditSink;
import io.credential.audit.internal.AuditTrail;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.InParallel;

/**
 * A process that processes the webhook {@code evt_1}. Arguments: the JDBC URL; {@code once}, {@code receive} or {@code
 * process}; on how many threads; and before which of its steps it is gone, 0 for none. A step is a statement, a commit, or what
 * comes after a commit.
 */
final class InboxNode {

    static final int GONE = 43;

    private InboxNode() {}

    public static void main(String[] arguments) {
        int lastStep = Integer.parseInt(arguments[3]);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(arguments[0]);
            AtomicInteger steps = new AtomicInteger();
            CredentialDatabase database = CredentialDatabase.of(new Steps(pool, () -> {
                if (steps.incrementAndGet() == lastStep) {
                    Runtime.getRuntime().halt(GONE);
                }
            }));
            steps.set(0); // opening it is none
            run(database, arguments[1], Integer.parseInt(arguments[2]));
        }
        System.out.println("done");
    }

    private static void run(CredentialDatabase database, String what, int threads) {
        JdbcWebhookInbox inbox = new JdbcWebhookInbox(
                database,
                null,
                InboxFixture.OPTIONS,
                message -> InboxFixture.grant(database, message.text()),
                new AuditTrail(AuditSink.none(), () -> null, InstantSource.system(), "webhook-inbox", true, true));
        switch (what) {
            case "once" ->
                InParallel.run(Collections.nCopies(
                        threads,
                        () -> inbox.once(
                                InboxFixture.webhook("stripe", "evt_1"), () -> InboxFixture.grant(database, "evt_1"))));
            case "receive" -> inbox.receive(InboxFixture.message("evt_1", "evt_1"), null);
            default -> inbox.worker().processOne();
        }
    }

    private static final class Steps extends DelegatingDataSource {

        private final Runnable step;

        Steps(DataSource target, Runnable step) {
            super(target);
            this.step = step;
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    Steps.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> invoke(connection, method, arguments));
        }

        private Object invoke(Connection connection, Method method, Object[] arguments) throws Throwable {
            boolean isCommit = method.getName().equals("commit");
            if (isCommit || method.getName().equals("prepareStatement")) {
                step.run();
            }
            try {
                return method.invoke(connection, arguments);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            } finally {
                if (isCommit) {
                    step.run();
                }
            }
        }
    }
}
