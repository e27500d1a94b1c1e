package io.credential.apikey.internal;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.bouncycastle.crypto.digests.SHAKEDigest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyChanges;
import io.credential.apikey.ApiKeyToken;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.RegistryFixture;
import io.credential.apikey.Rotation;
import io.credential.seal.internal.Keyring;
import io.credential.secret.HashAlgorithm;
import io.credential.secret.SecretBytes;
import io.credential.secret.internal.Argon2Settings;
import io.credential.secret.internal.SecretHashers;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** What is stored, computed a second time from its description: a change would make every stored key unusable. */
@BothDatabases
class StoredFormatTests {

    private static final HexFormat HEX = HexFormat.of();

    private final SecretBytes key = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final SecretBytes index = SecretBytes.random(32, RegistryFixture.RANDOM);
    private final RegistryFixture fixture;
    private final IssuedApiKey issued;

    StoredFormatTests(TestDatabase database) {
        this.fixture = RegistryFixture.with(
                database.migrate(JdbcApiKeyRegistries.SCHEMA), Keyring.of("k1", Map.of("k1", key), index));
        this.issued = fixture.issue();
    }

    /** The hash was computed with Python's hashlib. */
    @Test
    void secretInputThenGivesAKnownAnswer() {
        byte[] input = TokenForm.hashInput(
                        new ApiKeyToken("bk", "live", "0123456789abcdef", "00112233445566778899aabbccddeeff"))
                .toByteArray();

        assertThat(HEX.formatHex(input))
                .isEqualTo("0000001563726564656e7469616c2f6170692d6b65792f7631000000046c697665"
                        + "0000001030313233343536373839616263646566"
                        + "000000203030313132323333343435353636373738383939616162626363646465656666");
        assertThat(new SecretHashers(Argon2Settings.defaults(), RegistryFixture.RANDOM)
                        .using(HashAlgorithm.SHAKE256)
                        .hash(input))
                .isEqualTo("shake256$4e387d8534158e3e42eca3937287eca71338cc2ae1d249e66bad07a32e171e42"
                        + "0577407ce6beaa3070963bb504746a072d08a3922d96734bd50c27ae1d85035a");
    }

    @Test
    void issueThenTheStoredHashIsThatOfNamespaceIdAndSecret() throws IOException {
        String secret = ApiKeyToken.parse(issued.key()).orElseThrow().secretHex();
        byte[] input = fields("credential/api-key/v1", fixture.namespace, issued.id(), secret);
        SHAKEDigest digest = new SHAKEDigest(256);
        digest.update(input, 0, input.length);
        byte[] hash = new byte[64];
        digest.doFinal(hash, 0, hash.length);

        assertThat(fixture.stored(issued.id(), "secret_hash")).isEqualTo("shake256$" + HEX.formatHex(hash));
    }

    @Test
    void issueThenTheOwnerIndexIsAKeyedHash() throws Exception {
        byte[] subKey = subKey(index, "credential/seal/v1/blind-index/api-key/owner-id");

        assertThat(fixture.stored(issued.id(), "owner_id_hash"))
                .endsWith(HEX.formatHex(mac("HmacSHA3-256", subKey, fields(fixture.namespace, "user-42"))));
    }

    @Test
    void changeThenRowMacCoversAllColumnsButTheLastUse() throws Exception {
        fixture.registry.rotate(issued.id(), Rotation.graceful());
        fixture.registry.update(
                issued.id(),
                ApiKeyChanges.none().expiresAt(fixture.clock.instant().plusSeconds(60)));
        fixture.registry.disable(issued.id());
        assertThat(fixture.stored(issued.id(), "row_mac")).isEqualTo(expectedMac());
        fixture.registry.revoke(issued.id());
        assertThat(fixture.stored(issued.id(), "row_mac")).isEqualTo(expectedMac());
    }

    private String expectedMac() throws Exception {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(fields("m1", "k1", "_credential_api_keys"));
        for (String column : List.of(
                "namespace",
                "id",
                "prefix",
                "owner_id_hash",
                "owner_id",
                "scopes",
                "metadata",
                "details",
                "secret_hash",
                "secondary_secret_hash",
                "secondary_expires_at",
                "created_at",
                "expires_at",
                "disabled_at",
                "revoked_at",
                "version")) {
            @Nullable String value = fixture.stored(issued.id(), column);
            message.writeBytes(fields(column));
            message.write(value == null ? 0 : 1);
            if (value != null) {
                message.writeBytes(fields(value));
            }
        }
        byte[] subKey = subKey(key, "credential/seal/v1/row-mac");
        return "m1.k1." + HEX.formatHex(mac("HmacSHA3-256", subKey, message.toByteArray()));
    }

    /** HKDF-SHA-256 (RFC 5869) without salt, for one block of output. */
    private static byte[] subKey(SecretBytes key, String purpose) throws GeneralSecurityException {
        byte[] extracted = mac("HmacSHA256", new byte[32], key.toByteArray());
        byte[] info = purpose.getBytes(StandardCharsets.UTF_8);
        byte[] block = Arrays.copyOf(info, info.length + 1);
        block[info.length] = 1;
        return mac("HmacSHA256", extracted, block);
    }

    private static byte[] mac(String algorithm, byte[] key, byte[] message) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key, algorithm));
        return mac.doFinal(message);
    }

    private static byte[] fields(String... values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (String value : values) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
        return bytes.toByteArray();
    }
}
