package io.credential.spring.console.internal.key;

import java.security.SecureRandom;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.credential.internal.cluster.Leadership;
import io.credential.internal.cluster.LeaseLeadership;
import io.credential.internal.cluster.LeaseSettings;
import io.credential.internal.cluster.LiveNodes;
import io.credential.internal.notification.NodeNotifications;
import io.credential.seal.internal.Keyring;
import io.credential.spring.operations.internal.ClusterOperations;
import io.credential.testing.DatabaseKind;
import io.credential.testing.OtherLeads;
import io.credential.testing.Patience;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Where operators change keys, as a node that does not lead sees it in the database of the cluster. */
class LeaderTests {

    @AutoClose
    private static final TestDatabase SERVER = TestDatabase.create(DatabaseKind.POSTGRESQL);

    private static final Keyring KEYRING = Keyring.generate(new SecureRandom());

    private final LiveNodes nodes = new LiveNodes(SERVER.database(), KEYRING);

    @AfterEach
    void removeLease() {
        SERVER.database().jdbc().sql("DELETE FROM _credential_leases").update();
    }

    @Test
    void placeWhenThisNodeLeadsThenHere() {
        assertThat(place(Leadership.singleNode())).isEqualTo(new Leader.Place(true, null, null));
    }

    @Test
    void placeWhenNobodyLeadsThenNowhere() {
        assertThat(place(new OtherLeads())).isEqualTo(new Leader.Place(false, null, null));
    }

    @Test
    void placeWhenAnotherLeadsThenHasItsConsole() {
        assertThat(placeBeside("https://a.example/app/"))
                .isEqualTo(new Leader.Place(false, "a", "https://a.example/app/credential/keys"));
    }

    @Test
    void placeWhenLeaderHasNoUrlThenNamesIt() {
        assertThat(placeBeside(null)).isEqualTo(new Leader.Place(false, "a", null));
    }

    private Leader.Place placeBeside(@Nullable String url) {
        LeaseSettings settings = new LeaseSettings("a", url, Duration.ofMinutes(10));
        try (LeaseLeadership other = new LeaseLeadership(
                SERVER.database(),
                KEYRING,
                settings,
                System::nanoTime,
                new SecureRandom(),
                NodeNotifications.none(),
                epoch -> {})) {
            other.start();
            Patience.until(other::isLeader);
            return place(new OtherLeads());
        }
    }

    private Leader.Place place(Leadership leadership) {
        return new Leader(new ClusterOperations("b", leadership, nodes), "/credential").place();
    }
}
