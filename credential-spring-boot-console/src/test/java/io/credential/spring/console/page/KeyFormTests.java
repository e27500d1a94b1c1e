package io.credential.spring.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.KeySearch;
import io.credential.ratelimit.RateLimit;

import static org.assertj.core.api.Assertions.assertThat;

/** Keys are issued once, with what the form says. */
@PageTest
class KeyFormTests {

    private final ConsoleVisitor manager;
    private final ConsoleVisitor viewer;
    private final ApiKeyRegistry live;

    KeyFormTests(@Autowired MockMvc mvc, @Autowired ApiKeyRegistries registries) {
        this.manager = ConsoleVisitor.keyManager(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.live = registries.get("live");
    }

    @Test
    void formThenOffersTheRegistries() {
        assertThat(manager.open("keys/new?registry=trial").html())
                .contains("<option value=\"live\">", "<option value=\"trial\" selected>");
    }

    /**
     * What is sealed in the database must not be in URLs, which are logged. A link from elsewhere could otherwise fill in whose key
     * it is, and what it may do.
     */
    @Test
    void formThenTakesNothingElseFromTheUrl() {
        assertThat(manager.open(
                                "keys/new?registry=live&owner=mallory&name=mallory&scopes=mallory&metadata=mallory&networks=mallory")
                        .html())
                .contains("<option value=\"live\" selected")
                .doesNotContain("mallory");
    }

    @Test
    void formWhenViewerThenForbidden() {
        assertThat(viewer.open("keys/new").status()).isEqualTo(403);
    }

    @Test
    void issueThenTheKeyHasWhatWasEntered() {
        manager.open("keys/new");

        ConsoleVisitor.Answer shown = issue(
                manager,
                "form-all",
                "name",
                "Night job",
                "scopes",
                "a:read\r\n\r\n b:read ",
                "expires",
                "2099-12-31T23:00",
                "limit",
                "1000000",
                "window",
                "86400",
                "networks",
                "192.0.2.0/24",
                "metadata",
                "{\"plan\":\"gold\"}");

        assertThat(shown.text()).contains("The key was issued.", "Copy it now: no other page shows it.");
        ApiKey key = keysOf("form-all").get(0);
        assertThat(key.name()).isEqualTo("Night job");
        assertThat(key.scopes()).containsExactlyInAnyOrder("a:read", "b:read");
        assertThat(key.expiresAt()).isEqualTo(Instant.parse("2099-12-31T23:00:00Z"));
        assertThat(key.rateLimit()).isEqualTo(new RateLimit(1_000_000, Duration.ofDays(1)));
        assertThat(key.allowedNetworks()).isEqualTo(List.of("192.0.2.0/24"));
        assertThat(key.metadata()).isEqualTo(Map.of("plan", "gold"));
    }

    @Test
    void issueThenShowsTheSecretOnce() {
        manager.open("keys/new");

        ConsoleVisitor.Answer shown = issue(manager, "form-once");

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.cacheControl()).isEqualTo("no-store");
        ApiKey key = keysOf("form-once").get(0);
        Matcher secret = Pattern.compile("data-secret=\"\\.\\./keys/live/" + key.id() + "\"[^>]*>(lk_[^<]+)<")
                .matcher(shown.html());
        assertThat(secret.find()).isTrue();
        String token = secret.group(1);
        assertThat(live.verify(token)).get().returns(key.id(), ApiKey::id);

        ConsoleVisitor.Answer again = issue(manager, "form-once");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html()).doesNotContain(token);
        assertThat(keysOf("form-once")).hasSize(1);
        assertThat(manager.open("keys/live/" + key.id()).html()).doesNotContain(token);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    owner    | ""            | 'owner' must not be empty.
                    registry | ""            | 'registry' must not be empty.
                    metadata | [1]           | 'metadata' must be a JSON object
                    metadata | {a            | 'metadata' must be a JSON object
                    expires  | tomorrow      | 'expires' must be a time in UTC
                    expires  | 2001-01-01T00 | 'expires' must be a time in UTC
                    limit    | 5             | A rate limit needs 1 to 1,000,000 requests
                    window   | 60            | A rate limit needs 1 to 1,000,000 requests
                    limit    | many          | 'limit' must be a whole number.
                    scopes   | a b           | api-key/bad-scopes
                    networks | 192.0.2.300   | api-key/bad-opt
                    """)
    void issueWhenMalformedThenSaysWhat(String field, String value, String message) {
        manager.open("keys/new");

        ConsoleVisitor.Answer refused = issue(manager, "form-bad", field, value);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains(message);
        assertThat(keysOf("form-bad")).isEmpty();
    }

    @Test
    void issueWhenRefusedThenCanBeCorrected() {
        manager.open("keys/new");

        ConsoleVisitor.Answer refused = issue(
                manager, "form-fix", "name", "<i>", "scopes", "a:read\nb:read", "metadata", "none", "registry", "live");

        assertThat(refused.html())
                .contains(
                        "name=\"name\" value=\"&lt;i>\"",
                        "name=\"owner\" value=\"form-fix\"",
                        "a:read\nb:read</textarea>",
                        "none</textarea>",
                        "<option value=\"live\" selected>")
                .doesNotContain("<i>");
        assertThat(issue(manager, "form-fix").status())
                .as("the form was not used up")
                .isEqualTo(200);
    }

    @Test
    void issueWhenRegistryIsUnknownThenNotFound() {
        manager.open("keys/new");

        ConsoleVisitor.Answer refused = issue(manager, "form-lost", "registry", "lost");

        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.text()).contains("api-key/not-found");
    }

    /** @param fields replace those that a key needs: the first value of a field counts */
    private static ConsoleVisitor.Answer issue(ConsoleVisitor visitor, String owner, String... fields) {
        Map<String, String> all = new LinkedHashMap<>(Map.of("registry", "live", "owner", owner));
        for (int i = 0; i < fields.length; i += 2) {
            all.put(fields[i], fields[i + 1]);
        }
        return visitor.send(
                "keys/new",
                all.entrySet().stream()
                        .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                        .toArray(String[]::new));
    }

    private List<ApiKey> keysOf(String owner) {
        return live.search(KeySearch.all().withOwnerId(owner)).keys();
    }
}
