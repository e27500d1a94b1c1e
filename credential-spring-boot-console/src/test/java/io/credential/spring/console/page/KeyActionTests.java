package io.credential.spring.console.page;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyRegistries;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.ratelimit.RateLimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What operators do with keys. */
@PageTest
class KeyActionTests {

    private final ConsoleVisitor manager;
    private final ApiKeyRegistry live;
    private String id = "";

    KeyActionTests(@Autowired MockMvc mvc, @Autowired ApiKeyRegistries registries) {
        this.manager = ConsoleVisitor.keyManager(mvc);
        this.live = registries.get("live");
    }

    @BeforeEach
    void issueKey() {
        id = live.issue(IssueRequest.forOwner("owner-4711")).id();
    }

    @Test
    void rotateThenShowsTheSecretOnce() {
        manager.open("keys/live/" + id);

        ConsoleVisitor.Answer shown = act(manager, "rotate", "grace", "kept");

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.cacheControl()).isEqualTo("no-store");
        assertThat(shown.text()).contains("The key was rotated.", "The previous secret is valid until");
        String token = token(shown, "../../../keys/live/" + id);
        assertThat(live.verify(token)).get().returns(id, ApiKey::id);
        assertThat(manager.open("keys/live/" + id).html()).doesNotContain(token);
    }

    @Test
    void rotateWhenFormIsSentTwiceThenRotatesOnce() {
        manager.open("keys/live/" + id);
        String token = token(act(manager, "rotate", "grace", "none"), "../../../keys/live/" + id);

        ConsoleVisitor.Answer again = act(manager, "rotate", "grace", "none");

        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text()).contains("This form was sent already. The secret is not shown again.");
        assertThat(again.html()).doesNotContain(token);
        assertThat(live.verify(token)).get().returns(id, ApiKey::id);
    }

    @Test
    void rotateThenTheOldSecretIsKeptAsLongAsAsked() {
        manager.open("keys/live/" + id);
        act(manager, "rotate", "grace", "kept", "hours", "48");
        assertThat(Objects.requireNonNull(key().secondaryExpiresAt()))
                .isCloseTo(Instant.now().plus(Duration.ofDays(2)), within(Duration.ofMinutes(10)));

        manager.open("keys/live/" + id);
        ConsoleVisitor.Answer shown = act(manager, "rotate", "grace", "none", "hours", "48");
        assertThat(shown.text()).doesNotContain("The previous secret is valid until");
        assertThat(key().secondaryExpiresAt()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "kept, 0",
        "kept, 2161",
        "kept, 99999999999999999",
        "kept, -1",
        "kept, 1.5",
        "'', 1",
        "for-ever, 1",
    })
    void rotateWhenGraceIsMalformedThenRefused(String grace, String hours) {
        manager.open("keys/live/" + id);

        assertThat(act(manager, "rotate", "grace", grace, "hours", hours).status())
                .isEqualTo(400);
        assertThat(key().secondaryExpiresAt()).isNull();
        assertThat(act(manager, "rotate", "grace", "kept", "hours", "2160").status())
                .as("the form was not used up")
                .isEqualTo(200);
    }

    @Test
    void rotateWhenFormHasNoIdThenRefused() {
        assertThat(act(manager, "rotate", "grace", "kept").status()).isEqualTo(400);
        assertThat(act(manager, "rotate", "grace", "kept", "form", "x").status())
                .isEqualTo(400);
        assertThat(key().secondaryExpiresAt()).isNull();
    }

    @Test
    void disableAndEnableThenDoSo() {
        assertThat(act(manager, "disable").redirect())
                .isEqualTo("../../../keys/live/" + id + ": The key is disabled. It is rejected until it is enabled.");
        assertThat(key().disabledAt()).isNotNull();
        assertThat(manager.open("keys/live/" + id).text()).contains("The key is disabled.", "Enable");

        assertThat(act(manager, "enable").redirect()).isEqualTo("../../../keys/live/" + id + ": The key is enabled.");
        assertThat(key().disabledAt()).isNull();
        assertThat(manager.open("keys/live/" + id).text()).contains("The key is enabled.");
    }

    @Test
    void revokeThenTheIdMustBeTyped() {
        assertThat(act(manager, "revoke").status()).isEqualTo(400);
        assertThat(act(manager, "revoke", "confirm", id + "x").text()).contains("Nothing was changed");
        assertThat(key().revokedAt()).isNull();

        assertThat(act(manager, "revoke", "confirm", id).redirect())
                .isEqualTo("../../../keys/live/" + id + ": The key is revoked. It is never accepted again.");
        assertThat(key().revokedAt()).isNotNull();
    }

    @Test
    void limitsThenReplaceTheOnesBefore() {
        assertThat(act(manager, "limits", "limit", "5", "window", "60", "networks", "192.0.2.0/24\n\n2001:db8::/32")
                        .redirect())
                .isEqualTo("../../../keys/live/" + id + ": The limits of the key were saved.");
        assertThat(key().rateLimit()).isEqualTo(new RateLimit(5, Duration.ofMinutes(1)));
        assertThat(key().allowedNetworks()).isEqualTo(List.of("192.0.2.0/24", "2001:db8::/32"));
        assertThat(manager.open("keys/live/" + id).html())
                .contains("name=\"limit\" value=\"5\"", "name=\"window\" value=\"60\"", "192.0.2.0/24\n2001:db8::/32");

        act(manager, "limits");
        assertThat(key().rateLimit()).isNull();
        assertThat(key().allowedNetworks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "5, '', ''",
        "'', 60, ''",
        "0, 60, ''",
        "5, 0, ''",
        "1000001, 60, ''",
        "5, 86401, ''",
        "five, 60, ''",
        "5, 60, 192.0.2.300",
    })
    void limitsWhenMalformedThenRefused(String limit, String window, String networks) {
        assertThat(act(manager, "limits", "limit", limit, "window", window, "networks", networks)
                        .status())
                .isEqualTo(400);
        assertThat(key().rateLimit()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rotate", "limits"})
    void actionWhenKeyIsRevokedThenConflict(String action) {
        manager.open("keys/live/" + id);
        live.revoke(id);

        assertThat(act(manager, action, "grace", "kept").text()).contains("api-key/revoked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rotate", "disable", "enable", "revoke", "limits"})
    void actionWhenKeyIsUnknownThenNotFound(String action) {
        manager.open("keys/live/" + id);

        for (String unknown : List.of("keys/live/lost/", "keys/lost/lost/")) {
            ConsoleVisitor.Answer answer = manager.send(unknown + action, "grace", "kept", "confirm", "lost");

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains("api-key/not-found");
        }
    }

    private ConsoleVisitor.Answer act(ConsoleVisitor visitor, String action, String... fields) {
        return visitor.send("keys/live/" + id + "/" + action, fields);
    }

    private ApiKey key() {
        return live.getById(id).orElseThrow();
    }

    /** Returns the token that a page shows. */
    private static String token(ConsoleVisitor.Answer page, String path) {
        Matcher shown = Pattern.compile("data-secret=\"" + Pattern.quote(path) + "\"[^>]*>([^<]+)<")
                .matcher(page.html());
        assertThat(shown.find()).isTrue();
        return shown.group(1);
    }
}
