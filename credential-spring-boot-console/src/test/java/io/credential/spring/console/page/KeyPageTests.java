package io.credential.spring.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.Rotation;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of keys. */
@PageTest
class KeyPageTests {

    private final ConsoleVisitor manager;
    private final ConsoleVisitor viewer;
    private final ApiKeyRegistry live;
    private final ApiKeyRegistry trial;

    KeyPageTests(@Autowired MockMvc mvc, @Autowired ApiKeyRegistries registries) {
        this.manager = ConsoleVisitor.keyManager(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.live = registries.get("live");
        this.trial = registries.get("trial");
    }

    @Test
    void listThenShowsStatesAndFindingsWithoutOwners() {
        IssuedApiKey key = issue("hidden-owner");
        IssuedApiKey disabled = issue("hidden-owner");
        live.disable(disabled.id());

        ConsoleVisitor.Answer page = viewer.open("keys");

        assertThat(page.text())
                .contains(key.id() + " active never-expiring", disabled.id() + " disabled")
                .doesNotContain("hidden-owner");
        assertThat(page.html()).contains("keys?registry=live", "keys?registry=trial", "./keys/live/" + key.id());
    }

    @Test
    void listWhenStateIsChosenThenShowsNoOthers() {
        IssuedApiKey active = issue("owner");
        IssuedApiKey disabled = issue("owner");
        live.disable(disabled.id());

        assertThat(viewer.open("keys?registry=live&show=disabled").text())
                .contains("Keys of live, disabled, the newest first", disabled.id())
                .doesNotContain(active.id());
    }

    @Test
    void listWhenNothingMatchesThenSaysWhat() {
        assertThat(viewer.open("keys?registry=trial&show=disabled").text())
                .contains("No results: keys that are disabled.", "Show all keys");
    }

    @ParameterizedTest
    @ValueSource(strings = {"registry=live&show=lost", "registry=live&cursor=~"})
    void listWhenParameterIsMalformedThenRefused(String query) {
        ConsoleVisitor.Answer page = viewer.open("keys?" + query);

        assertThat(page.status()).isEqualTo(400);
        assertThat(page.text()).contains("api-key/bad-opt");
    }

    @Test
    void listWhenRegistryIsUnknownThenNotFound() {
        assertThat(viewer.open("keys?registry=lost").status()).isEqualTo(404);
    }

    @Test
    void listWhenPageIsCutShortThenContinues() {
        IssuedApiKey rare = trial.issue(IssueRequest.forOwner("rare"));
        Instant nextYear = Instant.now().plus(Duration.ofDays(365));
        for (int i = 0; i < 50; i++) {
            trial.issue(IssueRequest.forOwner("many").expiresAt(nextYear));
        }

        ConsoleVisitor.Answer all = viewer.open("keys?registry=trial");
        assertThat(all.text()).contains("Older").doesNotContain(rare.id(), "Not all were examined");
        assertThat(follow(all).text()).contains(rare.id()).doesNotContain("Older");

        ConsoleVisitor.Answer found = viewer.open("keys?registry=trial&show=never-expiring");
        assertThat(found.text())
                .contains("Not all were examined; more may match.", "Continue")
                .doesNotContain("No results", rare.id());
        assertThat(follow(found).text()).contains(rare.id()).doesNotContain("Continue");
    }

    private ConsoleVisitor.Answer follow(ConsoleVisitor.Answer page) {
        Matcher link =
                Pattern.compile("href=\"\\./(keys\\?[^\"]*cursor=[^\"]*)\"").matcher(page.html());
        assertThat(link.find()).isTrue();
        return viewer.open(link.group(1).replace("&amp;", "&"));
    }

    @Test
    void searchThenFindsByOwnerNameAndScope() {
        IssuedApiKey key = live.issue(
                IssueRequest.forOwner("customer-7").name("Billing job").scopes("bills:read"));
        IssuedApiKey other = issue("customer-8");

        assertThat(viewer.send("keys/search", "registry", "live", "owner", "customer-7")
                        .text())
                .contains("Keys of live that match the search, the newest first", key.id() + " customer-7 Billing job")
                .doesNotContain(other.id());
        assertThat(viewer.send("keys/search", "registry", "live", "name", "billing")
                        .text())
                .contains(key.id())
                .doesNotContain(other.id());
        assertThat(viewer.send("keys/search", "registry", "live", "scope", "bills:read")
                        .text())
                .contains(key.id())
                .doesNotContain(other.id());
    }

    @Test
    void searchWhenThereAreMoreThenPostsTheCriteriaAgain() {
        for (int i = 0; i < 51; i++) {
            issue("customer-9");
        }

        ConsoleVisitor.Answer first = viewer.send("keys/search", "registry", "live", "owner", "customer-9");

        assertThat(first.html())
                .contains("name=\"owner\" value=\"customer-9\"", "<button class=\"plain\">Older</button>")
                .doesNotContainPattern("(href|action)=\"[^\"]*customer-9");
        Matcher cursor = Pattern.compile("name=\"cursor\" value=\"([^\"]+)\"").matcher(first.html());
        assertThat(cursor.find()).isTrue();
        assertThat(viewer.send("keys/search", "registry", "live", "owner", "customer-9", "cursor", cursor.group(1))
                        .html())
                .containsOnlyOnce("<tr id=\"k-")
                .doesNotContain("name=\"cursor\"");
    }

    @Test
    void searchWhenNothingMatchesThenSaysSo() {
        assertThat(viewer.send("keys/search", "registry", "live", "owner", "nobody <i>")
                        .text())
                .contains("No results: keys that match the search.");
    }

    @Test
    void searchWhenCriterionIsInvalidThenRefused() {
        assertThat(viewer.send("keys/search", "registry", "live", "name", "x").status())
                .isEqualTo(400);
        assertThat(viewer.send("keys/search", "registry", "live", "scope", "a b")
                        .text())
                .contains("api-key/bad-scopes");
    }

    @Test
    void showThenHasAllButTheSecret() {
        IssuedApiKey key = live.issue(IssueRequest.forOwner("<i>owner</i>")
                .name("Night \u202e job")
                .scopes("a:read", "b:read")
                .metadata(Map.of("contract", 4711))
                .rateLimit(1200, Duration.ofMinutes(1))
                .allowedNetworks(List.of("192.0.2.0/24")));
        String rotated = live.rotate(key.id(), Rotation.graceful()).key();
        live.disable(key.id());

        ConsoleVisitor.Answer page = viewer.open("keys/live/" + key.id());

        assertThat(page.text())
                .contains(
                        key.id() + " in live",
                        "Statedisabled",
                        "<i>owner</i>",
                        "Night \\u202e job",
                        "Scopesa:readb:read",
                        "1,200 in 1 min",
                        "192.0.2.0/24",
                        "{\"contract\":4711}",
                        "Previous secretaccepted until",
                        "Disabled");
        assertThat(page.html()).doesNotContain("<i>owner</i>", secretOf(key.key()), secretOf(rotated), "\u202e");
    }

    @Test
    void showWhenThereIsLittleThenSaysWhatApplies() {
        IssuedApiKey key = issue("owner");

        assertThat(viewer.open("keys/live/" + key.id()).text())
                .contains(
                        "Scopesnone",
                        "Expiresnever",
                        "Last usednever",
                        "Rate limitthat of the registry",
                        "Quotathat of the registry",
                        "Allowed networksall",
                        "Metadata–")
                .doesNotContain("Previous secret", "Revoked", "Requests by the day");
    }

    @Test
    void showWhenKeyWasUsedThenCountsByTheDay() {
        IssuedApiKey key = issue("owner");
        live.verify(key.key());

        Patience.untilAsserted(
                () -> assertThat(viewer.open("keys/live/" + key.id()).text()).contains("Requests by the day (UTC)"));
        assertThat(viewer.open("keys/live/" + key.id()).html())
                .containsPattern("<td>\\d{4}-\\d\\d-\\d\\d</td><td class=\"number\">1</td><td class=\"number\">0</td>");
    }

    @Test
    void showWhenUnknownThenNotFound() {
        assertThat(viewer.open("keys/live/lost").status()).isEqualTo(404);
        assertThat(viewer.open("keys/lost/lost").text()).contains("api-key/not-found");
    }

    @Test
    void showThenOnlyThoseWhoMayChangeKeysHaveButtons() {
        IssuedApiKey key = issue("owner");
        String path = "keys/live/" + key.id();

        assertThat(viewer.open(path).html()).doesNotContain("method=\"post\"");
        assertThat(viewer.open("keys").html()).doesNotContain("keys/new");
        assertThat(manager.open(path).html()).contains("/rotate", "/disable", "/limits", "/revoke");
        assertThat(manager.open("keys").html()).contains("./keys/new?registry=live");
    }

    @Test
    void showWhenRevokedThenHasNoButtons() {
        IssuedApiKey key = issue("owner");
        live.revoke(key.id());

        ConsoleVisitor.Answer page = manager.open("keys/live/" + key.id());

        assertThat(page.html()).doesNotContain("method=\"post\"");
        assertThat(page.text()).contains("Staterevoked", "Revoked");
    }

    @Test
    void showWhenExpiredThenCannotBeRotated() {
        IssuedApiKey key = live.issue(
                IssueRequest.forOwner("owner").expiresAt(Instant.now().plusMillis(50)));
        Patience.until(() -> viewer.open("keys/live/" + key.id()).text().contains("Stateexpired"));

        assertThat(manager.open("keys/live/" + key.id()).html())
                .contains("/revoke")
                .doesNotContain("/rotate");
    }

    @Test
    void overviewThenCountsTheKeys() {
        issue("owner");

        assertThat(viewer.open(FreshOverview.PATH).html())
                .contains("API keys of live", "API keys of trial", "keys?registry=live&amp;show=active");
    }

    private IssuedApiKey issue(String owner) {
        return live.issue(IssueRequest.forOwner(owner));
    }

    private static String secretOf(String token) {
        return token.substring(token.lastIndexOf('_') + 1);
    }
}
