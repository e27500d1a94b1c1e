package io.credential.apikey;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.ratelimit.RateLimit;
import io.credential.seal.internal.Keyring;
import io.credential.secret.SecretBytes;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Rows that were written by a version that knew no quotas, networks and imported keys. */
@BothDatabases
class OlderRowTests {

    private static final String NAMED = """
            INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata, details, secret_hash, created_at, \
            version, row_mac)
            VALUES (
                'live',
                '618e92e06efacce3',
                'bk',
                'i1.i1.653b42675095aa7628316d2d22f1160ea9a04d03c142d7f20fe7064fcf59119a',
                's1.k1.Ih9l8epKxtQ_8WjRqVnPJ4uuVYq6czLlxftQLxEgfISgoA',
                's1.k1.O4HPClaZu0MNEPpArwZql4XsuEbfIZHns1PJXAON8BgN',
                's1.k1.igyyTFzzIVpm1oo2sEjsgW3PT8wqH4SOYfKoNVCXw7-kERQIc9MtmoeO',
                's1.k1.ejKkuG9GDbptSAwbwrBILt9k3izRLmnoBPmWcGUtiIZtEzRJ_ZxhMjzrKT2ZdKRxijVAqE3z9sfwgG18ZrmxoldXqBBqTHXUYMMPHCXrPEsL_WzXg8Hn',
                'shake256$aac7a1c63cc8c74073fdfab4340d5410680ab05f0aa02c777443247a5840713e35a8f4b049f38719f4aab7577d8a54efc6482b2965aaff1fa076bcc8c4594c64',
                1796040125845,
                1,
                'm1.k1.d0e7477abb9d80f45d61813ee05dab96a2789b04ad91304955e26e57595ac8f1')""";

    private static final String WITHOUT_DETAILS = """
            INSERT INTO _credential_api_keys (namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata, secret_hash, created_at, version, \
            row_mac)
            VALUES (
                'live',
                '5c3aea613b48a0d3',
                'bk',
                'i1.i1.653b42675095aa7628316d2d22f1160ea9a04d03c142d7f20fe7064fcf59119a',
                's1.k1.2w97-d9ccf08S20DVX5n80BYKY8RQmDXIF9dRNvBC4y4NA',
                's1.k1.RbLwxPvayrCS4MFc57jMRPNhNRs5eIT2XSUMGNFG',
                's1.k1.iOK__cTQZHFtlbTjwOu5z8YvVhcajSFOMFpPqXAt',
                'shake256$556d8d0287a17528bba726b502ca8b5031fe43996944196d0dc57ed2344724c2482e7581a49c5cb8b28f2f9673dc36d74e5798f16ff34b10c7f50208e5e96a45',
                1796040125853,
                1,
                'm1.k1.4f0406352c26e94f18d4615457b95c92c02fadb1987baf7558c047b70c6dedaa')""";

    private final RegistryFixture fixture;

    OlderRowTests(TestDatabase database) {
        CredentialDatabase migrated = database.migrate(JdbcApiKeyRegistries.SCHEMA);
        this.fixture = new RegistryFixture(migrated, keyring(), "live", options -> options, builder -> builder);
    }

    /** The keyring that the rows were written with. */
    private static Keyring keyring() {
        return Keyring.of("k1", Map.of("k1", allBytes(1)), allBytes(2));
    }

    private static SecretBytes allBytes(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return SecretBytes.copyOf(bytes);
    }

    @Test
    void verifyWhenRowHasOldDetailsThenNotRestricted() {
        assertThat(verified(NAMED, "618e92e06efacce3", "3b6e1e7f43fbc7f8b30a728474cd911d"))
                .satisfies(OlderRowTests::assertNotRestricted)
                .satisfies(key -> {
                    assertThat(key.name()).isEqualTo("laptop");
                    assertThat(key.createdBy()).isEqualTo("tester");
                    assertThat(key.rateLimit()).isEqualTo(new RateLimit(100, Duration.ofMinutes(1)));
                    assertThat(key.metadata()).isEqualTo(Map.of("plan", "pro"));
                });
    }

    @Test
    void verifyWhenRowHasNoDetailsThenNotRestricted() {
        assertThat(verified(WITHOUT_DETAILS, "5c3aea613b48a0d3", "deb0d45d6468441bc5ed951f7841b135"))
                .satisfies(OlderRowTests::assertNotRestricted);
    }

    private ApiKey verified(String insert, String id, String secret) {
        fixture.jdbc().sql(insert).update();
        return fixture.registry.verify("bk_live_" + id + "_" + secret).orElseThrow();
    }

    private static void assertNotRestricted(ApiKey key) {
        assertThat(key.quota()).isNull();
        assertThat(key.allowedNetworks()).isEmpty();
        assertThat(key.imported()).isFalse();
    }
}
