package io.credential.apikey;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import com.zaxxer.hikari.HikariDataSource;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.InParallel;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Two nodes with their own connections to one database, of which the second does not lead. */
@BothDatabases
class TicketNodesTests {

    private static final Duration LIFETIME = Duration.ofSeconds(30);
    private static final int THREADS = 16;

    @AutoClose
    private final HikariDataSource secondPool = new HikariDataSource();

    private final TestDatabase database;
    private final RegistryFixture first;
    private final RegistryFixture second;
    private final ApiKey key;

    TicketNodesTests(TestDatabase test) {
        database = test;
        test.migrate(JdbcApiKeyRegistries.SCHEMA);
        first = RegistryFixture.with(
                CredentialDatabase.of(test.dataSource()), Keyring.generate(RegistryFixture.RANDOM));
        secondPool.setJdbcUrl(test.jdbcUrl());
        second = new RegistryFixture(
                CredentialDatabase.of(secondPool),
                first.keyring,
                first.namespace,
                options -> options,
                builder -> builder.leadership(new OtherLeads()));
        key = first.registry.verify(first.issue().key()).orElseThrow();
    }

    @Test
    void ticketWhenNodeDoesNotLeadThenRedeemableOnAnother() {
        ApiKeyTicket ticket = second.registry.ticket(key, LIFETIME);

        assertThat(first.registry.redeem(ticket.value())).contains(key);
        assertThat(second.registry.redeem(ticket.value())).isEmpty();
    }

    @Test
    void redeemWhenRolledBackThenRedeemableOnceElsewhere() {
        ApiKeyTicket ticket = first.registry.ticket(key, LIFETIME);
        new TransactionTemplate(new JdbcTransactionManager(database.dataSource())).executeWithoutResult(status -> {
            assertThat(first.registry.redeem(ticket.value())).isPresent();
            status.setRollbackOnly();
        });

        assertThat(second.registry.redeem(ticket.value())).contains(key);
        assertThat(first.registry.redeem(ticket.value())).isEmpty();
    }

    @RepeatedTest(5)
    void redeemWhenByManyThreadsOfTwoNodesThenOnce() {
        List<String> tickets = IntStream.range(0, 5)
                .mapToObj(i -> first.registry.ticket(key, LIFETIME).value())
                .toList();

        List<Integer> accepted = InParallel.run(IntStream.range(0, THREADS)
                .<Callable<Integer>>mapToObj(i -> {
                    ApiKeyRegistry node = (i % 2 == 0 ? first : second).registry;
                    return () -> (int) tickets.stream()
                            .filter(ticket -> node.redeem(ticket).isPresent())
                            .count();
                })
                .toList());

        assertThat(accepted.stream().mapToInt(Integer::intValue).sum()).isEqualTo(tickets.size());
    }
}
