package io.credential.seal.internal;

import java.security.SecureRandom;
import java.util.Map;

import org.junit.jupiter.api.Test;

import io.credential.secret.SecretBytes;

import static org.assertj.core.api.Assertions.assertThat;

class BlindIndexTests {

    private final Keyring keyring = TestKeys.keyring("k1", "k1");
    private final BlindIndex index = new BlindIndex(keyring, "owner-id");

    /** Computed by another implementation of HKDF and HMAC-SHA3-256. */
    @Test
    void ofThenGivesAKnownAnswer() {
        assertThat(index.of("live", "user-42"))
                .isEqualTo("i1.i1.5f007a5a5e05aa3db683380d973592c9912cb3b4f40e2c28f84f761df1e60650");
    }

    @Test
    void ofThenDiffersByNamespaceValuePurposeAndKey() {
        String text = index.of("live", "user-42");

        assertThat(index.of("test", "user-42")).isNotEqualTo(text);
        assertThat(index.of("live", "user-43")).isNotEqualTo(text);
        assertThat(index.of("liveu", "ser-42")).isNotEqualTo(text);
        assertThat(new BlindIndex(keyring, "other").of("live", "user-42")).isNotEqualTo(text);
        assertThat(new BlindIndex(Keyring.generate(new SecureRandom()), "owner-id").of("live", "user-42"))
                .isNotEqualTo(text);
    }

    @Test
    void candidatesWhenSeveralKeysThenActiveFirst() {
        SecretBytes other = TestKeys.bytesFrom(96);
        Keyring both = Keyring.of(
                "k1", Map.of("k1", TestKeys.key("k1")), "i2", Map.of("i1", TestKeys.bytesFrom(64), "i2", other));
        BlindIndex moving = new BlindIndex(both, "owner-id");

        assertThat(moving.candidates("live", "user-42"))
                .containsExactly(moving.of("live", "user-42"), index.of("live", "user-42"));
        assertThat(moving.of("live", "user-42")).startsWith(BlindIndex.head("i2"));
        assertThat(index.candidates("live", "user-42")).containsExactly(index.of("live", "user-42"));
    }

    @Test
    void ofWhenSealingKeyIsRotatedThenStaysTheSame() {
        Keyring rotated = TestKeys.keyring("k2", "k1", "k2");

        assertThat(new BlindIndex(rotated, "owner-id").of("live", "user-42")).isEqualTo(index.of("live", "user-42"));
    }
}
