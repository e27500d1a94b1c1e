package io.credential.apikey;

import java.util.List;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.testing.BothDatabases;
import io.credential.testing.OtherLeads;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@BothDatabases
class RegistryTransactionTests extends RegistryTestBase {

    private final TransactionTemplate callers;

    RegistryTransactionTests(TestDatabase database) {
        super(database);
        this.callers = new TransactionTemplate(new JdbcTransactionManager(database.dataSource()));
    }

    @Test
    void changeWhenCallerCommitsThenEffectiveAndAudited() {
        IssuedApiKey issued = callers.execute(status -> {
            IssuedApiKey key = fixture.issue();
            assertThat(fixture.audit).isEmpty();
            return key;
        });

        assertThat(fixture.trail()).containsExactly("apikey.issue success");
        assertThat(registry.verify(issued.key())).isPresent();
    }

    @Test
    void changeWhenCallerRollsBackThenUndoneAndNotAudited() {
        IssuedApiKey kept = fixture.issue();
        fixture.audit.clear();
        IssuedApiKey undone = callers.execute(status -> {
            registry.revoke(kept.id());
            IssuedApiKey key = fixture.issue();
            status.setRollbackOnly();
            return key;
        });

        assertThat(fixture.audit).isEmpty();
        assertThat(registry.verify(kept.key())).isPresent();
        assertThat(registry.verify(undone.key())).isEmpty();
    }

    @Test
    void readWhenCallerRollsBackThenStillAudited() {
        IssuedApiKey issued = fixture.issue();
        fixture.audit.clear();

        callers.executeWithoutResult(status -> {
            registry.getById(issued.id());
            registry.listForOwner("user-42");
            status.setRollbackOnly();
        });

        assertThat(fixture.trail()).containsExactly("apikey.get success", "apikey.list success");
    }

    @Test
    void changeWhenRefusedThenCallersTransactionGoesOn() {
        IssuedApiKey issued = callers.execute(status -> {
            assertThatExceptionOfType(ApiKeyException.class)
                    .isThrownBy(() -> registry.rotate("0123456789abcdef", Rotation.immediate()));
            return fixture.issue();
        });

        assertThat(registry.verify(issued.key())).isPresent();
    }

    @Test
    void changeWhenTransactionIsReadOnlyThenRefusedBefore() {
        IssuedApiKey issued = fixture.issue();
        callers.setReadOnly(true);

        callers.executeWithoutResult(status -> {
            for (ThrowingCallable change : List.<ThrowingCallable>of(
                    fixture::issue,
                    () -> registry.revoke(issued.id()),
                    () -> registry.rotate(issued.id(), Rotation.graceful()),
                    () -> registry.update(issued.id(), ApiKeyChanges.none().neverExpires()),
                    () -> registry.disable(issued.id()),
                    registry::purgeExpired,
                    registry::resealSealedColumns)) {
                assertThatExceptionOfType(ApiKeyException.class)
                        .isThrownBy(change)
                        .withMessageContaining("transaction, which is read-only")
                        .returns("api-key/read-only-transaction", ApiKeyException::code);
            }
            assertThat(registry.verify(issued.key())).isPresent();
            assertThat(registry.getById(issued.id())).isPresent();
            assertThat(status.isRollbackOnly()).isFalse();
        });
    }

    @Test
    void registryWhenNotLeaderThenOnlyReadsWork() {
        IssuedApiKey issued = fixture.issue();
        RegistryFixture follower = follower();
        ApiKeyRegistry reading = follower.registry;

        assertThat(reading.verify(issued.key())).isPresent();
        assertThat(reading.getById(issued.id())).isPresent();
        assertThat(reading.listForOwner("user-42")).hasSize(1);
        assertThat(reading.list(ListOptions.defaults()).keys()).hasSize(1);
        assertNotLeader(follower::issue);
        assertNotLeader(() -> reading.revoke(issued.id()));
        assertNotLeader(() -> reading.rotate(issued.id(), Rotation.graceful()));
        assertNotLeader(() -> reading.update(issued.id(), ApiKeyChanges.none().neverExpires()));
        assertNotLeader(() -> reading.disable(issued.id()));
        assertNotLeader(() -> reading.enable(issued.id()));
        assertNotLeader(reading::purgeExpired);
        assertNotLeader(reading::resealSealedColumns);
        assertThat(registry.verify(issued.key())).isPresent();
        assertThat(follower.trail()).endsWith("apikey.reseal failure not-leader");
    }

    @Test
    void changeWhenNotLeaderThenCallersTransactionGoesOn() {
        RegistryFixture follower = follower();

        IssuedApiKey issued = callers.execute(status -> {
            assertNotLeader(follower::issue);
            return fixture.issue();
        });

        assertThat(registry.verify(issued.key())).isPresent();
    }

    private RegistryFixture follower() {
        return fixture.reopened(
                fixture.keyring, o -> o, builder -> builder.leadership(new OtherLeads("https://leader.example")));
    }

    private static void assertNotLeader(ThrowingCallable change) {
        assertThatExceptionOfType(ApiKeyException.class).isThrownBy(change);
        assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(change)
                .withMessageContaining("https://leader.example")
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/not-leader"))
                .satisfies(e -> assertThat(e.leaderUrl()).isEqualTo("https://leader.example"));
    }
}
