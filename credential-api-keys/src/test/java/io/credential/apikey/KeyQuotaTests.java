package io.credential.apikey;

import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;

import io.credential.ratelimit.Quota;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** The quota of a key, and that of its registry. */
@BothDatabases
class KeyQuotaTests extends RegistryTestBase {

    private static final Quota MONTHLY = new Quota(1000, Quota.Period.MONTH, ZoneId.of("Europe/Berlin"));
    private static final Quota DAILY = new Quota(5, Quota.Period.DAY, ZoneOffset.UTC);

    KeyQuotaTests(TestDatabase database) {
        super(database);
    }

    @Test
    void issueWhenQuotaIsGivenThenEveryReadGivesIt() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").quota(MONTHLY));

        assertThat(registry.verify(issued.key()).orElseThrow().quota()).isEqualTo(MONTHLY);
        assertThat(registry.getById(issued.id()).orElseThrow().quota()).isEqualTo(MONTHLY);
        assertThat(fixture.stored(issued.id(), "details")).startsWith("s1.").doesNotContain("Berlin");
    }

    @Test
    void updateThenTheQuotaIsChangedRemovedOrKept() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").quota(MONTHLY));

        assertThat(registry.update(issued.id(), ApiKeyChanges.none().scopes("a"))
                        .quota())
                .isEqualTo(MONTHLY);
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().quota(DAILY))
                        .quota())
                .isEqualTo(DAILY);
        assertThat(registry.update(issued.id(), ApiKeyChanges.none().withoutQuota())
                        .quota())
                .isNull();
    }

    @Test
    void issueAndUpdateThenTheAuditTrailShowsTheQuota() {
        IssuedApiKey issued = registry.issue(IssueRequest.forOwner("user-42").quota(MONTHLY));
        registry.update(issued.id(), ApiKeyChanges.none().quota(DAILY));
        registry.update(issued.id(), ApiKeyChanges.none().withoutQuota());
        registry.update(issued.id(), ApiKeyChanges.none().scopes("a"));

        assertThat(fixture.audit.get(0).attributes()).containsEntry("quota", "1000 in a month of Europe/Berlin");
        assertThat(fixture.audit.get(1).attributes())
                .containsEntry("quotaBefore", "1000 in a month of Europe/Berlin")
                .containsEntry("quota", "5 in a day of UTC");
        assertThat(fixture.audit.get(2).attributes())
                .containsEntry("quotaBefore", "5 in a day of UTC")
                .containsEntry("quota", "registry");
        assertThat(fixture.audit.get(3).attributes()).doesNotContainKeys("quota", "quotaBefore");
    }

    @Test
    void registryThenGivesTheQuotaOfItsOptions() {
        assertThat(registry.quota()).isEmpty();
        assertThat(fixture.reopened(fixture.keyring, options -> options.withQuota(MONTHLY), builder -> builder)
                        .registry
                        .quota())
                .contains(MONTHLY);
    }
}
