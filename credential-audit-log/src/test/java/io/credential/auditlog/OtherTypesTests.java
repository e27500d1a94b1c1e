package io.credential.auditlog;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.auditlog.AuditFinding.Kind;
import io.credential.auditlog.StoredAuditEvent.Authenticity;
import io.credential.auditlog.internal.LogFixture;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** SQLite stores values of any type in any column: such a row must neither hide others, nor be read without end. */
class OtherTypesTests {

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.SQLITE);

    private final LogFixture fixture = new LogFixture(test);

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
                    'x', 1
                    '1x', 1
                    0.5, 1
                    1.5, 1
                    1,   'x'
                    1,   '2x'
                    1,   x'00'
                    256, 'x'
                    """)
    void verifyWhenNumberIsOfOtherTypeThenFindsRow(String chain, String seq) {
        fixture.written(2);
        fixture.insertForged(chain, seq);
        fixture.written(1);

        AuditVerification verification = fixture.verify();
        assertThat(verification.findings()).extracting(AuditFinding::kind).containsExactly(Kind.ALTERED);
        assertThat(verification.entries()).isEqualTo(5);
    }

    @Test
    void verifyWhenTextHidTheEndFromNodeThenStillMissing() {
        fixture.written(2);
        fixture.insertForged(1, "'x'");
        fixture.written(1);
        fixture.change("DELETE FROM _credential_audit_log WHERE chain = 1 AND seq >= 3");

        assertThat(fixture.verify().findings()).containsExactly(new AuditFinding(Kind.MISSING, 1, 3, null));
    }

    @Test
    void verifyWhenNumberIsBetweenTwoThenFindsRow() {
        fixture.written(4);
        fixture.insertForged(1, 2.5);

        assertThat(fixture.verify().findings()).containsExactly(new AuditFinding(Kind.MISSING, 1, 3, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "recorded_at = recorded_at || 'x'",
                "recorded_at = recorded_at + 0.5",
                "resource_version = 'x'",
                "resource_version = 0.5",
                "resource_id = CAST(resource_id AS BLOB)",
                "resource_id = CAST(resource_id AS BLOB), resource_version = 1",
                "name = CAST(name AS BLOB)",
                "attributes = CAST(attributes AS BLOB)",
                "digest = CAST(digest AS BLOB)",
                "mac = CAST(mac AS BLOB)",
            })
    void verifyWhenValueIsOfOtherTypeThenFindsEntry(String set) {
        fixture.written(3);
        fixture.change("UPDATE _credential_audit_log SET " + set + " WHERE chain = 1 AND seq = 3");

        assertThat(fixture.verify().findings()).containsExactly(new AuditFinding(Kind.ALTERED, 1, 3, null));
    }

    /** It has no place in the order of the search: a page could not continue after it. */
    @ParameterizedTest
    @ValueSource(strings = {"recorded_at = 'x'", "recorded_at = 0.5", "chain = 'x'", "seq = '2x'", "seq = x'00'"})
    void searchWhenNumberIsOfOtherTypeThenShowsAllOthers(String set) {
        fixture.written(3);
        fixture.insertForged(1, 5);
        fixture.change("UPDATE _credential_audit_log SET " + set + " WHERE seq = 5");

        assertThat(fixture.found()).extracting(StoredAuditEvent::sequence).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "attributes", "digest", "mac", "actor"})
    void searchWhenTextIsOfOtherTypeThenShownAsAltered(String column) {
        fixture.written(1);
        fixture.change("UPDATE _credential_audit_log SET " + column + " = x'0102' WHERE seq = 2");

        assertThat(fixture.found())
                .extracting(StoredAuditEvent::authenticity)
                .containsExactlyInAnyOrder(Authenticity.ALTERED, Authenticity.AUTHENTIC);
    }
}
