package io.credential.spring.console.page;

import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.auditlog.AuditQuery;
import io.credential.testing.Patience;

import static org.assertj.core.api.Assertions.assertThat;

/** What operators see of the audit log, and how they have it verified. */
@PageTest
class AuditPageTests {

    /** Before all entries of the other tests. */
    private static final String RARE_TIME = "2001-01-01T00:00:00Z";

    private final ConsoleVisitor admin;
    private final ConsoleVisitor viewer;
    private final ReplacedParts.HeldAuditLog log;
    private final JdbcClient jdbc;

    AuditPageTests(@Autowired MockMvc mvc, @Autowired ReplacedParts.HeldAuditLog log, @Autowired JdbcClient jdbc) {
        this.admin = ConsoleVisitor.admin(mvc);
        this.viewer = ConsoleVisitor.viewer(mvc);
        this.log = log;
        this.jdbc = jdbc;
    }

    @Test
    void listThenShowsEntriesAsText() {
        append("page.shown", Outcome.FAILURE, "eve <i>\u202e", "thing-1");

        ConsoleVisitor.Answer page = viewer.open("audit?event=page.shown");

        assertThat(page.text())
                .contains(
                        "Entries with event page.shown, the newest first", "eve <i>\\u202e", "thing thing-1", "failure")
                .doesNotContain("forged");
        assertThat(page.html()).doesNotContain("<i>", "\u202e");
    }

    @Test
    void listThenFiltersByEachField() {
        append("page.filtered", Outcome.SUCCESS, "ada", "thing-1");
        append("page.filtered", Outcome.FAILURE, "bob", "thing-2");

        for (String query : new String[] {"outcome=failure", "actor=bob", "id=thing-2&kind=thing"}) {
            assertThat(viewer.open("audit?event=page.filtered&" + query).text())
                    .contains("bob")
                    .doesNotContain("thing-1");
        }
        assertThat(viewer.open("audit?event=page.filtered&before=2001-01-01T00:00")
                        .text())
                .contains("No results: Entries with event page.filtered, time before 2001-01-01 00:00:00 UTC.");
        assertThat(viewer.open("audit?event=page.filtered&from=2001-01-01T00:00")
                        .text())
                .contains("thing-1", "thing-2");
    }

    @Test
    void filterThenIsInWords() {
        assertThat(viewer.open("audit?outcome=failure&actor=eve&kind=nothing&id=4&from=2001-01-01T10:30")
                        .text())
                .contains("No results: Entries with outcome failure, actor eve, resource kind nothing, resource id 4,"
                        + " time at or after 2001-01-01 10:30:00 UTC.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outcome=perhaps",
                "from=yesterday",
                "before=32-01",
                "from=2026-01-02T00:00&before=2026-01-01T00:00",
                "cursor=lost"
            })
    void listWhenParameterIsMalformedThenRefused(String query) {
        assertThat(viewer.open("audit?" + query).status()).isEqualTo(400);
    }

    @Test
    void listWhenNothingMatchesThenKeepsTheFilter() {
        ConsoleVisitor.Answer page = viewer.open("audit?actor=%22%3E%3Ci%3E");

        assertThat(page.text()).contains("No results: Entries with actor \"><i>.", "Clear");
        assertThat(page.html()).doesNotContain("\"><i>");
    }

    /** A page examines 5,000 entries. */
    @Test
    void listWhenPageIsCutShortThenContinues() {
        append("page.rare", Outcome.SUCCESS, "a&b", "thing-1");
        long rare = Instant.parse(RARE_TIME).toEpochMilli();
        jdbc.sql("UPDATE _credential_audit_log SET recorded_at = :time WHERE name = 'page.rare'")
                .param("time", rare)
                .update();
        jdbc.sql("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                        + " INSERT INTO _credential_audit_log"
                        + " (chain, seq, recorded_at, name, outcome, resource_kind, attributes, digest, mac)"
                        + " SELECT 999999, i, :time, 'page.many', 'success', 'thing', '{}', '', '' FROM n")
                .param("time", rare + 1)
                .update();

        ConsoleVisitor.Answer first = viewer.open("audit?actor=a%26b&before=2001-01-02T00:00");

        assertThat(first.text())
                .contains("Examined up to 2001-01-01 00:00:00", "more may match.", "Continue")
                .doesNotContain("No results");
        Matcher link =
                Pattern.compile("href=\"\\./(audit\\?[^\"]*cursor=[^\"]*)\"").matcher(first.html());
        assertThat(link.find()).isTrue();
        assertThat(viewer.open(link.group(1).replace("&amp;", "&")).text())
                .contains("page.rare altered", "a&b")
                .doesNotContain("Continue", "Older");
    }

    @Test
    void listWhenThereAreMoreThen50ThenHasOlder() {
        for (int i = 0; i < 51; i++) {
            log.sink().record(event("page.paged", Outcome.SUCCESS, "ada", "thing-" + i));
        }
        Patience.until(() ->
                log.search(AuditQuery.all().withEvent("page.paged")).entries().size() == 51);

        assertThat(viewer.open("audit?event=page.paged").text())
                .contains("Older")
                .doesNotContain("Examined up to", "Continue");
    }

    @Test
    void verifyThenShowsItsResult() {
        append("page.verified", Outcome.SUCCESS, "ada", "thing-1");
        log.hold();
        try {
            assertThat(admin.send("audit/verify").redirect())
                    .isEqualTo("../audit: The verification of the audit log has started. Its result appears below.");

            ConsoleVisitor.Answer running = admin.open("audit");
            assertThat(running.text())
                    .contains("The verification of the audit log has started.", "running since", "started by ada")
                    .doesNotContain("Verify now");
            ConsoleVisitor.Answer again = admin.send("audit/verify");
            assertThat(again.status()).isEqualTo(409);
            assertThat(again.text()).contains("A verification is running on this node.");
        } finally {
            log.release();
        }

        Patience.untilAsserted(() -> assertThat(admin.open("audit").text())
                .containsPattern("Last verified [-0-9: ]+ by ada: \\w+ [0-9,]+ entries, [0-9,]+ findings")
                .contains("Verify now"));
    }

    @Test
    void verifyWhenNotAdminThenNotOffered() {
        assertThat(viewer.open("audit").text()).contains("Verification").doesNotContain("Verify now");
    }

    private void append(String name, Outcome outcome, String actor, String id) {
        log.sink().record(event(name, outcome, actor, id));
        Patience.until(() -> log.search(AuditQuery.all().withEvent(name).withActor(actor)).entries().stream()
                .anyMatch(entry -> id.equals(entry.resourceId())));
    }

    private static AuditEvent event(String name, Outcome outcome, String actor, String id) {
        return new AuditEvent(name, outcome, null, actor, "thing", id, Instant.now(), Map.of());
    }
}
