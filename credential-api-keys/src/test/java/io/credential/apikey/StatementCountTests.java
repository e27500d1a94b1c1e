package io.credential.apikey;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.seal.internal.Keyring;
import io.credential.secret.internal.FieldBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.RecordedStatements;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** How many statements an operation costs. */
@BothDatabases
class StatementCountTests {

    private final RecordedStatements recording;
    private final RegistryFixture fixture;

    StatementCountTests(TestDatabase database) {
        database.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.recording = new RecordedStatements(database.dataSource());
        this.fixture = RegistryFixture.with(CredentialDatabase.of(recording), Keyring.generate(RegistryFixture.RANDOM));
    }

    @Test
    void verifyThenRunsOneStatementAndNoWrite() {
        IssuedApiKey issued = fixture.issue();
        recording.clear();

        assertThat(fixture.registry.verify(issued.key())).isPresent();

        assertThat(recording.statements())
                .singleElement()
                .satisfies(sql -> assertThat(sql).startsWith("SELECT"));
        assertThat(recording.transactions()).isEmpty();
    }

    @Test
    void verifyWhenRejectedThenRunsOneStatementAndNoWrite() {
        String revoked = fixture.issue().key();
        fixture.registry.revoke(ApiKeyToken.parse(revoked).orElseThrow().idHex());
        String key = fixture.issue().key();
        String wrong = key.substring(0, key.lastIndexOf('_') + 1) + "00".repeat(16);
        String unknown = "bk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16);

        assertThat(List.of(unknown, wrong, revoked)).allSatisfy(token -> {
            recording.clear();

            assertThat(fixture.registry.verify(token)).isEmpty();

            assertThat(recording.statements())
                    .singleElement()
                    .satisfies(sql -> assertThat(sql).startsWith("SELECT"));
            assertThat(recording.transactions()).isEmpty();
        });
    }

    @Test
    void verifyWhenMalformedOrForeignThenRunsNoStatement() {
        fixture.registry.verify("bk_other_0123456789abcdef_" + "00".repeat(16));
        fixture.registry.verify("nonsense");
        fixture.registry.verify("bk_" + fixture.namespace + "_" + "ab".repeat(33) + "_" + "00".repeat(16));

        assertThat(recording.statements()).isEmpty();
    }

    @Test
    void redeemThenReadsTicketRemovesItAndReadsKey() {
        ApiKey key = fixture.registry.verify(fixture.issue().key()).orElseThrow();
        String ticket = fixture.registry.ticket(key, Duration.ofSeconds(30)).value();
        recording.clear();

        assertThat(fixture.registry.redeem(ticket)).isPresent();

        assertThat(recording.statements())
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("SELECT"),
                        sql -> assertThat(sql).startsWith("DELETE"),
                        sql -> assertThat(sql).startsWith("SELECT"));
    }

    @Test
    void redeemWhenUnknownThenRunsOneStatementAndNoWrite() {
        fixture.registry.redeem("ticket_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(32));

        assertThat(recording.statements())
                .singleElement()
                .satisfies(sql -> assertThat(sql).startsWith("SELECT"));
        assertThat(recording.transactions()).isEmpty();
    }

    @Test
    void redeemWhenMalformedOrForeignThenRunsNoStatement() {
        for (String ticket : List.of(
                "",
                "nonsense",
                "x".repeat(100_000),
                "ticket_other_0123456789abcdef_" + "00".repeat(32),
                "ticket_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(31),
                "ticket_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(33),
                "ticket_" + fixture.namespace + "_0123456789ABCDEF_" + "00".repeat(32),
                "ticket_" + fixture.namespace + "_01_" + "00".repeat(32),
                fixture.issue().key())) {
            recording.clear();
            assertThat(fixture.registry.redeem(ticket)).isEmpty();
            assertThat(recording.statements()).isEmpty();
        }
    }

    /** The second statement counts the key. */
    @Test
    void issueThenRunsTwoStatements() {
        fixture.issue();

        assertThat(recording.statements())
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("INSERT INTO _credential_api_keys "),
                        sql -> assertThat(sql).startsWith("INSERT INTO _credential_api_key_totals "));
    }

    @Test
    void rotateThenReadsAndWritesTheKey() {
        IssuedApiKey issued = fixture.issue();
        recording.clear();

        fixture.registry.rotate(issued.id(), Rotation.graceful());

        assertReadAndWrite();
    }

    @Test
    void updateWhenExpiryStaysThenReadsAndWritesTheKey() {
        IssuedApiKey issued = fixture.issue();
        recording.clear();

        fixture.registry.update(issued.id(), ApiKeyChanges.none().name("other").scopes("other"));

        assertReadAndWrite();
    }

    @Test
    void disableThenOneStatementCountsTheKey() {
        IssuedApiKey issued = fixture.issue();
        recording.clear();

        fixture.registry.disable(issued.id());

        assertThat(recording.statements())
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("UPDATE"),
                        sql -> assertThat(sql).startsWith("SELECT"),
                        sql -> assertThat(sql).startsWith("UPDATE"),
                        sql -> assertThat(sql).startsWith("INSERT INTO _credential_api_key_totals "));
    }

    private void assertReadAndWrite() {
        assertThat(recording.statements())
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("SELECT"),
                        sql -> assertThat(sql).startsWith("UPDATE"));
    }

    /** Without statistics of a new table, PostgreSQL would read all its rows for each batch. */
    @Test
    void importKeysWhenNewThenNotReadBack() {
        RegistryFixture importing = importing();
        recording.clear();

        assertThat(importing(importing.registry).imported()).isEqualTo(2);
        assertThat(recording.statements())
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("INSERT"),
                        sql -> assertThat(sql).startsWith("INSERT INTO _credential_api_key_totals "));

        assertThat(importing(importing.registry).present()).isEqualTo(2);
        assertThat(recording.statements()).hasSize(4).last().asString().startsWith("SELECT");
    }

    /** Imported keys cost as much as issued ones, and their wrong tokens as much as wrong ones of issued keys. */
    @ParameterizedTest
    @CsvSource({"17.secret,true", "17.wrong,false", "18.secret,false", "sk_secret,true", "sk_wrong,false"})
    void verifyWhenImportedThenRunsOneStatementAndNoWrite(String token, boolean accepted) {
        RegistryFixture importing = importing();
        importing(importing.registry);
        recording.clear();

        assertThat(importing.registry.verify(token).isPresent()).isEqualTo(accepted);

        assertThat(recording.statements())
                .singleElement()
                .satisfies(sql -> assertThat(sql).startsWith("SELECT"));
        assertThat(recording.transactions()).isEmpty();
    }

    private RegistryFixture importing() {
        return fixture.reopened(
                fixture.keyring,
                options -> options.withImportedTokens(
                        ForeignTokenForm.withId("(?<id>[0-9]+)\\.(?<secret>.+)"),
                        ForeignTokenForm.byHash("sk_.+", ForeignHashAlgorithm.SHA256)),
                builder -> builder);
    }

    private static ImportResult importing(ApiKeyRegistry registry) {
        IssueRequest key = IssueRequest.forOwner("user-42");
        return registry.importKeys(
                List.of(KeyImport.of(key, sha256("secret"), "17"), KeyImport.of(key, sha256("sk_secret")))
                        .iterator(),
                ImportOptions.defaults());
    }

    private static ForeignHash sha256(String secret) {
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        return ForeignHash.of(ForeignHashAlgorithm.SHA256, FieldBytes.sha256(bytes, bytes.length));
    }
}
