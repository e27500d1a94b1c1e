package io.credential.auditlog.internal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.audit.AuditEvent;
import io.credential.audit.AuditEvent.Outcome;
import io.credential.audit.AuditOrigin;
import io.credential.auditlog.AuditPage;
import io.credential.auditlog.AuditQuery;
import io.credential.auditlog.StoredAuditEvent;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Entries of all chains are found newest first, and a row that is not authentic is shown as such. */
@BothDatabases
class EntrySearchTests {

    private static final AuditQuery ALL = AuditQuery.all();

    private final LogFixture fixture;
    private final Instant start;

    EntrySearchTests(TestDatabase test) {
        this.fixture = new LogFixture(test);
        this.start = fixture.clock.instant();
    }

    @Test
    void searchWhenEmptyThenLastPageWithoutEntries() {
        assertThat(search(ALL)).isEqualTo(new AuditPage(List.of(), null, null));
    }

    @Test
    void searchWhenStoredThenHasAllValues() {
        append(new AuditEvent(
                "apikey.update",
                Outcome.SUCCESS,
                null,
                "admin",
                "api-key",
                "id-1",
                start,
                Map.of("version", 7L),
                new AuditOrigin("192.0.2.1", "curl/8", "4bf92f35")));

        assertThat(search(ALL.withEvent("apikey.update")).entries())
                .containsExactly(new StoredAuditEvent(
                        Authenticity.AUTHENTIC,
                        1,
                        2,
                        start,
                        "apikey.update",
                        "success",
                        null,
                        "admin",
                        "api-key",
                        "id-1",
                        7L,
                        "192.0.2.1",
                        "curl/8",
                        "4bf92f35",
                        "{\"version\":7}"));
    }

    @Test
    void searchWhenSeveralChainsThenNewestOfAllFirst() {
        ChainWriter first = fixture.node();
        ChainWriter second = fixture.node();
        for (int i = 0; i < 4; i++) {
            (i % 2 == 0 ? first : second).append(List.of(event("e" + i, start.plusSeconds(i))));
        }

        assertThat(names(ALL.between(start.plusMillis(1), null))).containsExactly("e3", "e2", "e1");
        assertThat(search(ALL.withEvent("e3")).entries().get(0).chain()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 50})
    void searchWhenPagedThenEachEntryOnceAtEqualTimes(int limit) {
        fixture.written(20);
        fixture.written(20);

        List<String> places = new ArrayList<>();
        String cursor = null;
        do {
            AuditPage page = search(ALL.withLimit(limit).after(cursor));
            page.entries().forEach(entry -> places.add(entry.chain() + "/" + entry.sequence()));
            cursor = page.nextCursor();
        } while (cursor != null);

        assertThat(places).hasSize(42).doesNotHaveDuplicates();
    }

    @Test
    void searchWhenLimitEqualsNumberThenNoCursor() {
        fixture.written(4);

        assertThat(search(ALL.withLimit(5)).nextCursor()).isNull();
        assertThat(search(ALL.withLimit(4)).nextCursor()).isNotNull();
    }

    @Test
    void searchWhenCriteriaThenOnlyEntriesThatMeetAll() {
        append(
                event("a", start),
                new AuditEvent("b", Outcome.FAILURE, "no", "eve", "api-key", "k1", start, Map.of()),
                new AuditEvent("b", Outcome.SUCCESS, null, "eve", "api-key", "k2", start, Map.of()),
                new AuditEvent("b", Outcome.SUCCESS, null, "bob", "webhook", "k2", start, Map.of()));

        assertThat(sequences(ALL.withEvent("b"))).containsExactly(5L, 4L, 3L);
        assertThat(sequences(ALL.withEvent("b").withOutcome(Outcome.FAILURE))).containsExactly(3L);
        assertThat(sequences(ALL.withActor("eve"))).containsExactly(4L, 3L);
        assertThat(sequences(ALL.withResource("webhook", null))).containsExactly(5L);
        assertThat(sequences(ALL.withResource("api-key", "k2"))).containsExactly(4L);
        assertThat(sequences(ALL.withEvent("b.").withActor("eve"))).isEmpty();
    }

    @Test
    void searchWhenTimesThenOnlyFromIsInclusive() {
        append(event("a", start.plusMillis(10)), event("b", start.plusMillis(11)), event("c", start.plusMillis(12)));

        assertThat(names(ALL.between(start.plusMillis(10), start.plusMillis(12))))
                .containsExactly("b", "a");
        assertThat(names(ALL.between(
                        start.plusMillis(10).plusNanos(1), start.plusMillis(11).plusNanos(1))))
                .containsExactly("b");
        assertThat(names(ALL.between(Instant.MIN, Instant.MAX))).hasSize(4);
    }

    /** Stored actors are shortened and have no control characters; a search takes the actor as it was given. */
    @Test
    void searchWhenValueIsStoredOtherwiseThenFound() {
        String actor = "a\0\n" + "x".repeat(400);
        append(new AuditEvent("e", Outcome.SUCCESS, null, actor, "api-key", null, start, Map.of()));

        assertThat(names(ALL.withActor(actor))).containsExactly("e");
        assertThat(names(ALL.withActor("\ud800"))).isEmpty();
    }

    @Test
    void searchWhenFewMatchThenSaysHowFarItExamined() {
        append(event("rare", start));
        Instant busy = start.plusSeconds(1);
        List<AuditEvent> many = IntStream.range(0, EntrySearch.EXAMINED)
                .mapToObj(i -> event("frequent", busy))
                .toList();
        fixture.node().append(many);

        AuditPage first = search(ALL.withEvent("rare"));
        assertThat(first.entries()).isEmpty();
        assertThat(first.examinedTo()).isEqualTo(busy);
        AuditPage second = search(ALL.withEvent("rare").after(first.nextCursor()));
        assertThat(second.entries()).extracting(StoredAuditEvent::event).containsExactly("rare");
        assertThat(second.examinedTo()).isNull();
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void searchWhenPageIsFullThenExaminedToItsLastEntry() {
        append(event("a", start.plusSeconds(1)), event("b", start.plusSeconds(2)));

        AuditPage page = search(ALL.withLimit(1));
        assertThat(page.examinedTo()).isEqualTo(start.plusSeconds(2));
        assertThat(names(ALL.withLimit(1).after(page.nextCursor()))).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "actor = 'nobody'",
                "attributes = '{}'",
                "recorded_at = recorded_at + 1",
                "digest = 'x'",
                "mac = 'm1.k1.00'",
                "mac = ''",
                "chain = 200",
                "seq = -1",
                "recorded_at = 9223372036854775807",
                "recorded_at = -9223372036854775808",
            })
    void searchWhenRowIsChangedThenShownAsAltered(String set) {
        fixture.written(3);
        fixture.change("UPDATE _credential_audit_log SET " + set + " WHERE chain = 1 AND seq = 4");

        assertThat(authenticities())
                .containsExactlyInAnyOrder(
                        Authenticity.ALTERED, Authenticity.AUTHENTIC, Authenticity.AUTHENTIC, Authenticity.AUTHENTIC);
    }

    @Test
    void searchWhenRowIsForgedThenShownAsAltered() {
        fixture.written(1);
        fixture.insertForged(1, 3);

        assertThat(search(ALL.withEvent("audit.close")).entries())
                .extracting(StoredAuditEvent::authenticity)
                .containsExactly(Authenticity.ALTERED);
    }

    @Test
    void searchWhenEntryBeforeIsRemovedThenShownAsAltered() {
        fixture.written(3);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq = 2");

        assertThat(authenticities())
                .containsExactly(Authenticity.AUTHENTIC, Authenticity.ALTERED, Authenticity.AUTHENTIC);
    }

    @Test
    void searchWhenKeyIsRemovedThenUnverifiable() {
        fixture.written(1);

        assertThat(fixture.log(LogFixture.RETIRED, ids -> Map.of()).search(ALL).entries())
                .extracting(StoredAuditEvent::authenticity)
                .containsOnly(Authenticity.UNVERIFIABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void searchWhenCursorIsMalformedThenRejected(String cursor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> search(ALL.after(cursor)))
                .withMessageContaining("cursor");
    }

    @Test
    void lastVerificationWhenNoneThenEmpty() {
        fixture.written(1);

        assertThat(fixture.log().lastVerification()).isEmpty();
    }

    @Test
    void lastVerificationWhenSeveralThenNewestOfAllChains() {
        append(event("audit.verify", start.plusSeconds(9)), event("other", start.plusSeconds(20)));
        append(event("audit.verify", start.plusSeconds(5)));

        StoredAuditEvent last = fixture.log().lastVerification().orElseThrow();
        assertThat(last.time()).isEqualTo(start.plusSeconds(9));
        assertThat(last.authenticity()).isEqualTo(Authenticity.AUTHENTIC);
    }

    @Test
    void lastVerificationWhenForgedThenShownAsAltered() {
        fixture.written(1);
        fixture.insertForged(1, 3);
        fixture.change("UPDATE _credential_audit_log SET name = 'audit.verify' WHERE seq = 3");

        assertThat(fixture.log().lastVerification().orElseThrow().authenticity())
                .isEqualTo(Authenticity.ALTERED);
    }

    private AuditPage search(AuditQuery query) {
        return fixture.log().search(query);
    }

    private List<String> names(AuditQuery query) {
        return search(query).entries().stream().map(StoredAuditEvent::event).toList();
    }

    private List<Long> sequences(AuditQuery query) {
        return search(query).entries().stream().map(StoredAuditEvent::sequence).toList();
    }

    private List<Authenticity> authenticities() {
        return search(ALL).entries().stream()
                .map(StoredAuditEvent::authenticity)
                .toList();
    }

    private void append(AuditEvent... events) {
        fixture.node().append(List.of(events));
    }

    private static AuditEvent event(String name, Instant time) {
        return new AuditEvent(name, Outcome.SUCCESS, null, "admin", "thing", "id", time, Map.of());
    }
}
