package io.credential.spring.autoconfigure.cluster;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;

import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.NotLeaderException;
import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.NodePresence;
import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.cluster.internal.HostName;
import io.credential.testing.DatabaseKind;
import io.credential.testing.LiveThreads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClusterAutoConfigurationTests {

    /** Does not expire however slow the other node starts. */
    private static final String LONG_LEASE = "credential.cluster.lease-duration=5m";

    @TempDir
    private Path directory;

    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);

    @BeforeEach
    void makeTheKeyringOfTheCluster() {
        StarterRunner.on(database, directory).run(context -> assertThat(context).hasNotFailed());
    }

    @AfterEach
    void removeDatabase() {
        database.close();
    }

    private ApplicationContextRunner node(String name) {
        return StarterRunner.on(database, directory)
                .withPropertyValues(
                        "credential.mode=cluster",
                        "credential.cluster.node-id=" + name,
                        "credential.cluster.advertised-url=https://" + name + ".example.org");
    }

    private static IssuedApiKey issue(ApiKeyRegistry registry) {
        return registry.issue(IssueRequest.forOwner("user-42"));
    }

    @Test
    void leadershipWhenModeIsSingleThenAlwaysLeads() {
        StarterRunner.on(database, directory).run(context -> {
            assertThat(context.getBean(Leadership.class)).isSameAs(Leadership.singleNode());
            assertThat(context).doesNotHaveBean(ElectedLeadership.class);
        });
    }

    @Test
    void leadershipWhenOnlyNodeOfAClusterThenLeadsAtOnce() {
        node("n1").withPropertyValues(LONG_LEASE).run(context -> {
            assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
            ApiKeyRegistry registry = context.getBean(ApiKeyRegistry.class);
            assertThat(registry.verify(issue(registry).key())).isPresent();
        });
    }

    @Test
    void followerThenVerifiesButRefusesNamingTheLeader() {
        node("n1").withPropertyValues(LONG_LEASE).run(leader -> {
            IssuedApiKey key = issue(leader.getBean(ApiKeyRegistry.class));
            node("n2").withPropertyValues(LONG_LEASE).run(follower -> {
                ApiKeyRegistry registry = follower.getBean(ApiKeyRegistry.class);
                assertThat(registry.verify(key.key())).isPresent();
                assertThat(follower.getBean(Leadership.class).isLeader()).isFalse();
                assertThatThrownBy(() -> registry.revoke(key.id()))
                        .isInstanceOfSatisfying(
                                NotLeaderException.class,
                                refusal -> assertThat(refusal.leaderUrl()).isEqualTo("https://n1.example.org"));
            });
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void leaderWhenItHasNoUrlThenWarnedAndNamedInRefusal(CapturedOutput output) {
        StarterRunner.on(database, directory)
                .withPropertyValues("credential.mode=cluster", "credential.cluster.node-id=silent", LONG_LEASE)
                .run(leader -> {
                    assertThat(output).contains("'credential.cluster.advertised-url' is not set");
                    IssuedApiKey key = issue(leader.getBean(ApiKeyRegistry.class));
                    node("n2")
                            .withPropertyValues(LONG_LEASE)
                            .run(follower -> assertThatThrownBy(() -> follower.getBean(ApiKeyRegistry.class)
                                            .revoke(key.id()))
                                    .isInstanceOf(NotLeaderException.class)
                                    .hasMessageContainingAll("'silent'", "credential.cluster.advertised-url")
                                    .hasMessageNotContaining("retry"));
                });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void singleNodesWhenTheyShareADatabaseThenWarned(CapturedOutput output) {
        StarterRunner.on(database, directory)
                .withPropertyValues("credential.cluster.node-id=first")
                .run(first -> StarterRunner.on(database, directory)
                        .withPropertyValues("credential.cluster.node-id=second")
                        .run(second -> {
                            assertThat(leases()).isEqualTo(2);
                            for (int round = 0; round < 2; round++) {
                                announceAgain(first);
                                announceAgain(second);
                            }
                            assertThat(output)
                                    .contains("shares its database with node first/")
                                    .contains("shares its database with node second/")
                                    .contains("'credential.mode' to cluster");
                        }));
    }

    /** Renews the row of a node and looks at those of others, which the node otherwise does every five seconds. */
    private static void announceAgain(ApplicationContext node) {
        NodePresence presence = node.getBean(NodePresence.class);
        presence.close();
        presence.announce();
    }

    @Test
    void closeThenLeavesNoLease() {
        StarterRunner.on(database, directory)
                .run(context -> assertThat(leases()).isEqualTo(1));
        assertThat(leases()).isZero();
    }

    @Test
    void startWhenClusterKeyringIsEphemeralThenRefused() {
        node("n1").withPropertyValues("credential.keyring.location=ephemeral:").run(context -> {
            FailureAnalysis analysis = Analyses.of(context);
            assertThat(analysis.getDescription()).contains("credential.keyring.location", "ephemeral:");
            assertThat(analysis.getAction()).contains("same keyring");
        });
    }

    @Test
    void leadershipWhenLeaderStopsThenOtherNodeTakesOver() {
        node("n1")
                .run(leader -> node("n2").run(follower -> {
                    leader.close();
                    Patience.until(follower.getBean(Leadership.class)::isLeader);
                    assertThat(issue(follower.getBean(ApiKeyRegistry.class)).key())
                            .isNotEmpty();
                }));
    }

    @Test
    void lifecyclesThenHandOverFirstAndNotifyLast() {
        node("n1")
                .withPropertyValues("credential.webhook.dispatcher.enabled=true")
                .run(context -> assertThat(List.of(
                                phase(context, "credentialLeadershipHandover"),
                                WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE,
                                WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE,
                                phase(context, "credentialWebhookDispatcherLifecycle"),
                                phase(context, "credentialLeadership"),
                                phase(context, "credentialNotificationLifecycle")))
                        .isSortedAccordingTo(Comparator.reverseOrder())
                        .doesNotHaveDuplicates());
    }

    private static int phase(ApplicationContext context, String bean) {
        return context.getBean(bean, SmartLifecycle.class).getPhase();
    }

    @Test
    void leadershipWhenContextStopsThenEndsUntilItStarts() {
        node("n1").run(context -> {
            Leadership leadership = context.getBean(Leadership.class);
            context.stop();
            assertThat(leadership.isLeader()).isFalse();
            assertThatThrownBy(() -> issue(context.getBean(ApiKeyRegistry.class)))
                    .isInstanceOf(NotLeaderException.class);
            context.start();
            Patience.until(leadership::isLeader);
            assertThat(issue(context.getBean(ApiKeyRegistry.class)).key()).isNotEmpty();
        });
    }

    @Test
    void electionThreadWhenContextClosesThenEnds() {
        node("n1").run(context -> {
            Patience.untilAsserted(
                    () -> assertThat(LiveThreads.named("credential-lease")).hasSize(2));
            context.close();
            LiveThreads.awaitNone("credential-lease");
        });
    }

    @Test
    void electionWhenBeansAreLazyThenStillRuns() {
        node("n1")
                .withPropertyValues(LONG_LEASE)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context ->
                        assertThat(context.getBean(Leadership.class).isLeader()).isTrue());
    }

    @Test
    void leaseHolderWhenNodeIdIsNotSetThenHasTheHostName() {
        StarterRunner.on(database, directory)
                .withPropertyValues("credential.mode=cluster", LONG_LEASE)
                .run(context -> {
                    assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
                    assertThat(database.database()
                                    .jdbc()
                                    .sql("select holder from _credential_leases")
                                    .query(String.class)
                                    .single())
                            .startsWith(HostName.ofThisMachine() + "/");
                });
    }

    @Test
    void leadershipWhenApplicationHasOneThenIsUsed() {
        Leadership own = Leadership.singleNode();
        node("n1").withBean(Leadership.class, () -> own).run(context -> {
            assertThat(context.getBean(Leadership.class)).isSameAs(own);
            LiveThreads.awaitNone("credential-lease");
        });
    }

    @Test
    void startWhenAnotherNodeHasOtherKeysThenRefused() {
        Path other = directory.resolve("other");
        try (TestDatabase elsewhere = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            StarterRunner.on(elsewhere, other)
                    .run(context -> assertThat(context).hasNotFailed());
        }

        node("n1")
                .run(first -> node("n2")
                        .withPropertyValues("credential.keyring.location=file:" + StarterRunner.keyring(other))
                        .run(second -> {
                            FailureAnalysis analysis = Analyses.of(second);
                            assertThat(analysis.getDescription())
                                    .contains("'n1'", "'n2'", "key 'k1' is a different key there");
                            assertThat(analysis.getAction())
                                    .contains("'credential.keyring.location'", "same keyring on every node");
                        }));
        assertThat(announcedKeys()).isZero();
    }

    @Test
    void startWhenKeyringIsMissingThenFailsWithoutCreating() {
        Path elsewhere = directory.resolve("nowhere.json");
        node("n1")
                .withPropertyValues("credential.keyring.location=file:" + elsewhere)
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription()).contains("nowhere.json", "missing");
                    assertThat(analysis.getAction()).contains("credential.keyring.location");
                });
        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void startWhenDatabaseIsFreshThenStillNeedsAKeyring() {
        try (TestDatabase fresh = TestDatabase.create(DatabaseKind.POSTGRESQL)) {
            Path elsewhere = directory.resolve("fresh");
            StarterRunner.on(fresh, elsewhere)
                    .withPropertyValues("credential.mode=cluster")
                    .run(context -> assertThat(Analyses.of(context).getDescription())
                            .contains("The keyring " + StarterRunner.keyring(elsewhere) + " is missing"));
        }
    }

    @Test
    void leaderThenHearsThatItLeadsAndNoLongerLeads() {
        List<Object> heard = new CopyOnWriteArrayList<>();
        node("n1")
                .withPropertyValues(LONG_LEASE)
                .withBean("listener", ApplicationListener.class, () -> listener(heard))
                .run(context -> {
                    Patience.until(() -> !heard.isEmpty());
                    context.stop();
                    assertThat(heard)
                            .containsExactly(new LeadershipGrantedEvent("n1", 1), new LeadershipRevokedEvent("n1", 1));
                });
    }

    @Test
    void followerWhenItTakesOverThenHearsIt() {
        List<Object> heard = new CopyOnWriteArrayList<>();
        node("n1")
                .withPropertyValues(LONG_LEASE)
                .run(leader -> node("n2")
                        .withPropertyValues(LONG_LEASE)
                        .withBean("listener", ApplicationListener.class, () -> listener(heard))
                        .run(follower -> {
                            assertThat(heard).isEmpty();
                            leader.close();
                            Patience.until(() -> !heard.isEmpty());
                            assertThat(heard).containsExactly(new LeadershipGrantedEvent("n2", 2));
                        }));
    }

    @Test
    void listenerWhenItThrowsThenNodeLeads() {
        CountDownLatch called = new CountDownLatch(1);
        ApplicationListener<PayloadApplicationEvent<LeadershipGrantedEvent>> failing = event -> {
            called.countDown();
            throw new IllegalStateException("a listener fails");
        };
        node("n1")
                .withInitializer(context -> context.addApplicationListener(failing))
                .withPropertyValues(LONG_LEASE)
                .run(context -> {
                    Patience.await(called);
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Leadership.class).isLeader()).isTrue();
                });
    }

    @Test
    void singleNodeThenHearsThatItLeads() {
        List<Object> heard = new CopyOnWriteArrayList<>();
        StarterRunner.on(database, directory)
                .withPropertyValues("credential.cluster.node-id=only")
                .withBean("listener", ApplicationListener.class, () -> listener(heard))
                .run(context -> {
                    Patience.until(() -> !heard.isEmpty());
                    context.stop();
                    assertThat(heard)
                            .containsExactly(
                                    new LeadershipGrantedEvent("only", 0), new LeadershipRevokedEvent("only", 0));
                });
    }

    @Test
    void startWhenClockIsAMinuteOffThenRefused() {
        InstantSource ahead = () -> Instant.now().plusSeconds(90);
        node("n1")
                .withBean("clock", InstantSource.class, () -> ahead, StarterRunner.OUR_CLOCK)
                .run(context -> {
                    FailureAnalysis analysis = Analyses.of(context);
                    assertThat(analysis.getDescription())
                            .contains(
                                    "The clock of this node is",
                                    "s ahead of that of the database",
                                    "cluster mode requires a difference of less than 60 s.");
                    assertThat(analysis.getAction()).contains("Synchronize the clocks");
                });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void startWhenClockIsSomeSecondsOffThenWarned(CapturedOutput output) {
        InstantSource behind = () -> Instant.now().minusSeconds(20);
        node("n1")
                .withBean("clock", InstantSource.class, () -> behind, StarterRunner.OUR_CLOCK)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output).containsOnlyOnce("s behind that of the database");
                });
    }

    @Test
    void startWhenSingleNodeAndClockIsOffThenStarts() {
        InstantSource ahead = () -> Instant.now().plusSeconds(90);
        StarterRunner.on(database, directory)
                .withBean("clock", InstantSource.class, () -> ahead, StarterRunner.OUR_CLOCK)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Keeps the events of leadership. */
    private static ApplicationListener<ApplicationEvent> listener(List<Object> heard) {
        return event -> {
            if (event instanceof PayloadApplicationEvent<?> published
                    && (published.getPayload() instanceof LeadershipGrantedEvent
                            || published.getPayload() instanceof LeadershipRevokedEvent)) {
                heard.add(published.getPayload());
            }
        };
    }

    private int announcedKeys() {
        return database.database()
                .jdbc()
                .sql("select count(*) from _credential_cluster_keys")
                .query(Integer.class)
                .single();
    }

    private int leases() {
        return database.database()
                .jdbc()
                .sql("select count(*) from _credential_leases")
                .query(Integer.class)
                .single();
    }
}
