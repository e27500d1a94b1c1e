package io.credential.apikey.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.RegistryTestBase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever holds no valid key cannot fill the audit trail. */
@BothDatabases
class RejectionFloodTests extends RegistryTestBase {

    private static final int MANY = 200;

    RejectionFloodTests(TestDatabase database) {
        super(database);
    }

    @Test
    void verifyWhenFloodedThenOneEventAndCountForEachReason() {
        String revoked = fixture.issue().key();
        String revokedId = ApiKeyToken.parse(revoked).orElseThrow().idHex();
        fixture.registry.revoke(revokedId);
        List<String> tokens = List.of(
                "nonsense",
                "bk_elsewhere_0123456789abcdef_" + "00".repeat(16),
                "bk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16),
                fixture.issue().key().replaceAll("[0-9a-f]{32}$", "00".repeat(16)),
                revoked);
        fixture.audit.clear();

        tokens.forEach(this::flood);

        assertThat(fixture.trail())
                .containsExactly(
                        "apikey.verify failure malformed",
                        "apikey.verify failure foreign-namespace",
                        "apikey.verify failure unknown",
                        "apikey.verify failure bad-secret",
                        "apikey.verify failure revoked");
        fixture.audit.clear();
        fixture.registries.close();
        assertThat(fixture.audit).hasSize(5).allSatisfy(event -> {
            assertThat(event.attributes()).containsEntry("count", MANY - 1L);
            assertThat(event.actor()).isNull();
        });
        assertThat(fixture.audit)
                .filteredOn(event -> "revoked".equals(event.reason()))
                .singleElement()
                .satisfies(event -> assertThat(event.attributes()).containsEntry("ids", List.of(revokedId)));
    }

    @Test
    void forTokenWhenFloodedThenOneEventAndOneCount() {
        IntStream.range(0, MANY).forEach(i -> fixture.registries.forToken("bk_elsewhere_01_02"));
        assertThat(fixture.trail()).containsExactly("apikey.verify failure foreign-namespace");

        fixture.registries.close();

        assertThat(fixture.audit)
                .last()
                .satisfies(event -> assertThat(event.attributes()).isEqualTo(Map.of("count", MANY - 1L)));
    }

    @Test
    void backgroundWorkWhenIntervalIsOverThenReportsCount() {
        flood("nonsense");
        fixture.clock.advance(Duration.ofMinutes(1));

        IntStream.range(0, 10).forEach(i -> fixture.registries.runBackgroundWorkOnce());

        assertThat(fixture.audit)
                .last()
                .satisfies(event -> assertThat(event.attributes()).isEqualTo(Map.of("count", MANY - 1L)));
    }

    @Test
    void verifyWhenCountWasReportedThenNextIsAuditedAtOnce() {
        flood("nonsense");
        fixture.clock.advance(Duration.ofMinutes(1));
        IntStream.range(0, 10).forEach(i -> fixture.registries.runBackgroundWorkOnce());
        fixture.audit.clear();

        flood("nonsense");

        assertThat(fixture.audit)
                .singleElement()
                .satisfies(event -> assertThat(event.attributes()).doesNotContainKey("count"));
    }

    private void flood(String token) {
        IntStream.range(0, MANY).forEach(i -> fixture.registry.verify(token));
    }
}
