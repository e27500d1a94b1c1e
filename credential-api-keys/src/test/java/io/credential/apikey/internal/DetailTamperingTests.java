package io.credential.apikey.internal;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.apikey.ForeignHash;
import io.credential.apikey.ForeignHashAlgorithm;
import io.credential.apikey.ForeignTokenForm;
import io.credential.apikey.ImportOptions;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.KeyImport;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.internal.foreign.ForeignKeyId;
import io.credential.ratelimit.Quota;
import io.credential.secret.internal.ImportedHashes;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever can write the database removes no quota and no networks, and does not choose the secret of an imported key. */
@BothDatabases
class DetailTamperingTests {

    private static final Pattern COLUMN_OF_KEY = Pattern.compile("(\\w+) OF (\\w+)");

    private final RegistryFixture fixture;
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, String> tokens = new HashMap<>();

    DetailTamperingTests(TestDatabase database) {
        this.fixture = new RegistryFixture(
                database,
                options -> options.withImportedTokens(ForeignTokenForm.withId("(?<id>[0-9]+)\\.(?<secret>.+)")));
        IssueRequest request = IssueRequest.forOwner("user-42");
        issue("plain", request);
        issue("limited", request.quota(new Quota(5, Quota.Period.DAY, ZoneOffset.UTC)));
        issue("lessLimited", request.quota(new Quota(500, Quota.Period.DAY, ZoneOffset.UTC)));
        issue("restricted", request.allowedNetworks(List.of("192.0.2.0/24")));
        issue("lessRestricted", request.allowedNetworks(List.of("0.0.0.0/0")));
        importKey("imported", "17", "s3cret");
        importKey("otherImported", "18", "0ther");
        // What a row contained is remembered, but for exactly that row.
        assertThat(tokens.values())
                .allSatisfy(token -> assertThat(fixture.registry.verify(token)).isPresent());
    }

    private void issue(String name, IssueRequest request) {
        IssuedApiKey issued = fixture.registry.issue(request);
        ids.put(name, issued.id());
        tokens.put(name, issued.key());
    }

    private void importKey(String name, String lookupId, String secret) {
        String stored = ImportedHashes.sha256Of(secret.getBytes(StandardCharsets.UTF_8));
        ForeignHash hash = ForeignHash.of(ForeignHashAlgorithm.SHA256, stored.substring(stored.lastIndexOf('$') + 1));
        fixture.registry.importKeys(
                List.of(KeyImport.of(IssueRequest.forOwner("user-42"), hash, lookupId))
                        .iterator(),
                ImportOptions.defaults());
        ids.put(name, ForeignKeyId.of(fixture.namespace, lookupId, stored));
        tokens.put(name, lookupId + "." + secret);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limited | details = null",
                "limited | details = ''",
                "limited | details = substr(details, 1, length(details) - 8) || 'AAAAAAAA'",
                "limited | details = details OF plain",
                "limited | details = details OF lessLimited",
                "limited | details = details OF lessLimited, row_mac = row_mac OF lessLimited",
                "restricted | details = null",
                "restricted | details = ''",
                "restricted | details = substr(details, 1, length(details) - 8) || 'AAAAAAAA'",
                "restricted | details = details OF plain",
                "restricted | details = details OF lessRestricted",
                "restricted | details = details OF lessRestricted, row_mac = row_mac OF lessRestricted",
                "restricted | details = details OF imported",
                "imported | details = null",
                "imported | details = ''",
                "imported | details = substr(details, 1, length(details) - 8) || 'AAAAAAAA'",
                "imported | details = details OF plain",
                "imported | details = details OF otherImported",
                "imported | secret_hash = ''",
                "imported | secret_hash = secret_hash OF plain",
                "imported | secondary_secret_hash = secret_hash OF otherImported, secondary_expires_at = 9999999999999",
                "plain | details = details OF limited",
                "plain | details = details OF restricted",
                "plain | details = details OF imported",
                "plain | secret_hash = secret_hash OF imported",
            })
    void verifyWhenRowIsEditedThenRejected(String name, String set) {
        fixture.tamper(id(name), resolved(set));

        assertRejected(name, token(name));
    }

    @ParameterizedTest
    @CsvSource({"limited, lessLimited", "restricted, lessRestricted", "imported, otherImported", "limited, restricted"})
    void verifyWhenDetailsAreSwappedThenBothRejected(String one, String other) {
        String details = fixture.stored(id(one), "details");
        fixture.tamper(id(one), resolved("details = details OF " + other));
        fixture.tamper(id(other), "details = '" + details + "'");

        assertRejected(one, token(one));
        assertRejected(other, token(other));
    }

    /** The attacker knows a secret that has the hash, and presents it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret_hash = secret_hash OF otherImported",
                "secret_hash = secret_hash OF otherImported, row_mac = row_mac OF otherImported",
                "secret_hash = secret_hash OF otherImported, details = details OF otherImported,"
                        + " row_mac = row_mac OF otherImported",
            })
    void verifyWhenImportedHashIsReplacedThenRejected(String set) {
        fixture.tamper(id("imported"), resolved(set));

        assertRejected("imported", "17.0ther");
    }

    @Test
    void verifyWhenHashIsPutIntoIssuedKeyThenRejected() {
        fixture.tamper(id("plain"), resolved("secret_hash = secret_hash OF imported, details = details OF imported"));

        assertRejected("plain", token("plain"));
    }

    private String id(String name) {
        return Objects.requireNonNull(ids.get(name), name);
    }

    private String token(String name) {
        return Objects.requireNonNull(tokens.get(name), name);
    }

    private void assertRejected(String name, String token) {
        fixture.audit.clear();
        fixture.clock.advance(Duration.ofHours(1)); // a second rejection would only be counted
        assertThat(fixture.registry.verify(token)).isEmpty();
        assertThat(fixture.audit).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo("apikey.verify");
            assertThat(event.reason()).isEqualTo("integrity");
            assertThat(event.resourceId()).isEqualTo(id(name));
        });
    }

    /** Replaces {@code column OF key} with the value in the row of that key. */
    private String resolved(String set) {
        return COLUMN_OF_KEY
                .matcher(set)
                .replaceAll(match -> "(select o." + match.group(1)
                        + " from _credential_api_keys o where o.namespace = '" + fixture.namespace + "' and o.id = '"
                        + id(match.group(2)) + "')");
    }
}
