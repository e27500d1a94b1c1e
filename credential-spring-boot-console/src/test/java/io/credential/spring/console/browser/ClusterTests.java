package io.credential.spring.console.browser;

import java.net.http.HttpResponse;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.apikey.ApiKey;
import io.credential.apikey.IssueRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console on two nodes that share PostgreSQL. Most pages are requested from the node that is not the leader. It needs two
 * applications, because a single node is always the leader, and PostgreSQL, because its statements and column types differ from
 * those of SQLite.
 */
class ClusterTests {

    @AutoClose
    private static final ConsoleCluster CLUSTER = new ConsoleCluster();

    private static final String LINK =
            "<a href=\"" + ConsoleCluster.advertisedUrl(ConsoleCluster.LEADER) + "/credential/keys\">";

    private final ConsoleClient follower = CLUSTER.atFollower(ConsoleUser.OPERATOR);
    private final ConsoleClient leader = CLUSTER.atLeader(ConsoleUser.OPERATOR);

    @ParameterizedTest
    @EnumSource
    void screenWhenDatabaseIsPostgresThenIsShown(Screen screen) {
        HttpResponse<String> page = follower.get(screen.url("", CLUSTER.data()));

        assertThat(page.statusCode()).isEqualTo(screen.status);
        assertThat(page.body()).contains(screen.fact(CLUSTER.data()));
    }

    @Test
    void overviewWhenAnotherNodeLeadsThenNamesNodes() {
        assertThat(follower.get("").body())
                .contains(
                        "<dt>This node</dt><dd>second</dd>",
                        "<dt>Leader</dt><dd>first <code>https://first.example.org/app</code></dd>",
                        "<span class=\"tag\">first</span><span class=\"tag\">second</span>");
    }

    @ParameterizedTest
    @EnumSource(names = {"KEYS", "KEY"})
    void keyPageWhenAnotherNodeLeadsThenLinksThere(Screen screen) {
        String page = follower.get(screen.url("", CLUSTER.data())).body();

        assertThat(page)
                .contains("Keys can only be changed on the leader", LINK + "open the console of first</a>")
                .doesNotContain("keys/new", "/rotate\"", "/disable\"", "/limits\"", "/revoke\"");
    }

    @ParameterizedTest
    @CsvSource({"KEYS, keys/new", "KEY, /revoke"})
    void keyPageWhenThisNodeLeadsThenHasItsActions(Screen screen, String action) {
        assertThat(leader.get(screen.url("", CLUSTER.data())).body())
                .contains(action)
                .doesNotContain("Keys can only be changed on the leader");
    }

    static Stream<String> keyActions() {
        return Stream.of("rotate", "disable", "enable", "limits", "revoke");
    }

    @ParameterizedTest
    @MethodSource("keyActions")
    void keyActionWhenAnotherNodeLeadsThenNamesIt(String action) {
        ApiKey key = issue();

        HttpResponse<String> refused = act(follower, key, action);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("api-key/not-leader", LINK, ConsoleCluster.LEADER);
        assertThat(CLUSTER.keys().getById(key.id())).contains(key);
    }

    @ParameterizedTest
    @MethodSource("keyActions")
    void keyActionWhenThisNodeLeadsThenIsMade(String action) {
        ApiKey key = issue();

        assertThat(act(leader, key, action).statusCode()).isIn(200, 303);
    }

    @Test
    void issueWhenAnotherNodeLeadsThenNamesIt() {
        String[] form = {"form", "B".repeat(22), "registry", "live", "owner", "issued-elsewhere"};

        HttpResponse<String> refused = follower.postForm("keys/new", follower.token(), form);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("api-key/not-leader", LINK);
        assertThat(CLUSTER.keys().listForOwner("issued-elsewhere")).isEmpty();
    }

    @Test
    void retryWhenAnotherNodeLeadsThenIsMade() {
        String delivery = CLUSTER.data().send("erp", "invoice.paid");

        HttpResponse<String> response = follower.post("deliveries/" + delivery + "/retry", follower.token());

        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(CLUSTER.data().attempts(delivery)).isEqualTo(2);
    }

    @Test
    void endpointActionsWhenAnotherNodeLeadsThenAreMade() {
        CLUSTER.data().register("elsewhere", "/accepts", "Elsewhere");
        String token = follower.token();

        for (String action : new String[] {"pause", "resume", "test"}) {
            assertThat(follower.post("endpoints/elsewhere/" + action, token).statusCode())
                    .as(action)
                    .isEqualTo(303);
        }
        assertThat(leader.get("deliveries?endpoint=elsewhere").body()).contains("webhook.test", "delivered");
    }

    private static ApiKey issue() {
        String id = CLUSTER.keys().issue(IssueRequest.forOwner("cluster")).id();
        return CLUSTER.keys().getById(id).orElseThrow();
    }

    private static HttpResponse<String> act(ConsoleClient client, ApiKey key, String action) {
        return client.postForm(
                "keys/live/" + key.id() + "/" + action,
                client.token(),
                "form",
                "C".repeat(22),
                "grace",
                "none",
                "confirm",
                key.id());
    }
}
