package io.credential.apikey;

import java.time.Duration;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import io.credential.ratelimit.RateLimit;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The rate limit of a key, and that of its registry. */
@BothDatabases
class KeyRateLimitTests extends RegistryTestBase {

    private static final RateLimit LIMIT = new RateLimit(100, Duration.ofSeconds(60));
    private static final IssueRequest LIMITED = IssueRequest.forOwner("user-42").rateLimit(100, Duration.ofSeconds(60));

    KeyRateLimitTests(TestDatabase database) {
        super(database);
    }

    @Test
    void issueWhenLimitedThenEveryReadGivesTheLimit() {
        IssuedApiKey issued = registry.issue(LIMITED);

        assertThat(registry.verify(issued.key()).orElseThrow().rateLimit()).isEqualTo(LIMIT);
        assertThat(registry.getById(issued.id()).orElseThrow().rateLimit()).isEqualTo(LIMIT);
        assertThat(registry.listForOwner("user-42").get(0).rateLimit()).isEqualTo(LIMIT);
    }

    @Test
    void issueWhenNotLimitedThenTheKeyHasNoLimit() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").name("laptop"));

        assertThat(registry.verify(issued.key()).orElseThrow().rateLimit()).isNull();
    }

    @Test
    void issueWhenLimitedThenTheLimitIsSealedWithTheName() {
        IssuedApiKey issued = registry.issue(LIMITED);

        assertThat(fixture.stored(issued.id(), "details")).startsWith("s1.").doesNotContain("100/60");
    }

    @Test
    void updateThenTheLimitIsChangedRemovedOrKept() {
        IssuedApiKey issued = registry.issue(LIMITED.name("laptop"));

        assertThat(registry.update(issued.id(), ApiKeyChanges.none().scopes("a"))
                        .rateLimit())
                .isEqualTo(LIMIT);
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().rateLimit(5, Duration.ofDays(1)))
                        .rateLimit())
                .isEqualTo(new RateLimit(5, Duration.ofDays(1)));
        ApiKey unlimited = registry.update(
                issued.id(), ApiKeyChanges.none().withoutRateLimit().name("desktop"));
        assertThat(unlimited.rateLimit()).isNull();
        assertThat(unlimited.name()).isEqualTo("desktop");
        assertThat(registry.verify(issued.key()).orElseThrow().rateLimit()).isNull();
    }

    @Test
    void rotateThenTheLimitStays() {
        IssuedApiKey issued = registry.issue(LIMITED);

        RotatedApiKey rotated = registry.rotate(issued.id(), Rotation.immediate());

        assertThat(registry.verify(rotated.key()).orElseThrow().rateLimit()).isEqualTo(LIMIT);
    }

    @Test
    void rateLimitWhenOutOfRangeThenRefused() {
        assertBadOpt(() -> IssueRequest.forOwner("user-42").rateLimit(0, Duration.ofSeconds(60)));
        assertBadOpt(() -> IssueRequest.forOwner("user-42").rateLimit(1, Duration.ofDays(2)));
        assertBadOpt(() -> ApiKeyChanges.none().rateLimit(1_000_001, Duration.ofSeconds(60)));
        assertBadOpt(() -> ApiKeyChanges.none().rateLimit(1, Duration.ofMillis(1500)));
    }

    @Test
    void issueAndUpdateThenTheAuditTrailShowsTheLimit() {
        IssuedApiKey issued = registry.issue(LIMITED);
        registry.update(issued.id(), ApiKeyChanges.none().withoutRateLimit());

        assertThat(fixture.audit.get(0).attributes()).containsEntry("rateLimit", "100 in 60 s");
        assertThat(fixture.audit.get(1).attributes())
                .containsEntry("rateLimitBefore", "100 in 60 s")
                .containsEntry("rateLimit", "registry");
    }

    @Test
    void registryThenGivesTheLimitOfItsOptions() {
        assertThat(registry.rateLimit()).isEmpty();
        assertThat(fixture.reopened(fixture.keyring, options -> options.withRateLimit(LIMIT), builder -> builder)
                        .registry
                        .rateLimit())
                .contains(LIMIT);
    }

    private static void assertBadOpt(ThrowingCallable call) {
        assertThatExceptionOfType(ApiKeyException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo("api-key/bad-opt"));
    }
}
