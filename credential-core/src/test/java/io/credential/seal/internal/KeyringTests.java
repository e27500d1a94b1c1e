package io.credential.seal.internal;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.credential.secret.SecretBytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyringTests {

    @Test
    void generateThenKeyringsDiffer() {
        SecureRandom random = new SecureRandom();
        Keyring one = Keyring.generate(random);

        assertThat(one.activeKeyId()).isEqualTo("k1");
        assertThat(one.checkValues()).containsOnlyKeys("k1", "index/i1");
        assertThat(one.checkValues().values())
                .doesNotContainAnyElementsOf(
                        Keyring.generate(random).checkValues().values());
    }

    /** Computed by another implementation of HKDF: whoever changes them locks out every existing database. */
    @Test
    void checkValuesThenAreThoseOfEachKeyAndTheIndexKey() {
        assertThat(TestKeys.keyring("k1", "k1").checkValues())
                .containsExactly(
                        Map.entry("k1", "71453a3edf3c30d86914bf637914800a7b499f5183f6dcceb7b54ded748a6991"),
                        Map.entry("index/i1", "058d8b3dec3a5a210d3d8835750dcad6ecbeaf348b1fdcfc0d8260edbc830d36"));
    }

    @Test
    void toStringThenPrintsIdsOnly() {
        assertThat(TestKeys.keyring("k1", "k1", "k2"))
                .hasToString("Keyring[active=k1, keys=[k1, k2], activeIndex=i1, indexKeys=[i1]]");
    }

    @Test
    void ofThenCopiesTheKeysThatItIsGiven() {
        SecretBytes key = TestKeys.key("k1");
        SecretBytes index = TestKeys.bytesFrom(64);
        Keyring keyring = Keyring.of("k1", Map.of("k1", key), index);
        key.close();
        index.close();

        assertThat(new BlindIndex(keyring, "owner-id").of("live", "user-42"))
                .isEqualTo(new BlindIndex(TestKeys.keyring("k1", "k1"), "owner-id").of("live", "user-42"));
    }

    @Test
    void ofWhenActiveKeyIsMissingThenRefusedWithoutQuoting() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestKeys.keyring("k3", "k1", "k2"))
                .withMessageContaining("[k1, k2]")
                .withMessageNotContaining("k3");
    }

    @Test
    void ofWhenTheActiveIndexKeyIsMissingThenRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Keyring.of("k1", Map.of("k1", TestKeys.key("k1")), "i3", Map.of("i1", TestKeys.bytesFrom(64))))
                .withMessageContainingAll("active index key", "[i1]")
                .withMessageNotContaining("i3");
    }

    @Test
    void ofWhenSealAndIndexKeyShareANameThenTheyStayApart() {
        Keyring keyring =
                Keyring.of("k1", Map.of("k1", TestKeys.key("k1")), "k1", Map.of("k1", TestKeys.bytesFrom(64)));

        assertThat(keyring.checkValues()).containsOnlyKeys("k1", Keyring.indexCheckId("k1"));
        assertThat(Keyring.indexKeyId(Keyring.indexCheckId("k1"))).isEqualTo("k1");
        assertThat(Keyring.indexKeyId("k1")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K1", "k_1", "k.1", "k 1", "ключ", "012345678901234567890123456789012", "index/i1"})
    void ofWhenAKeyIdIsMalformedThenRefused(String id) {
        Map<String, SecretBytes> keys = new HashMap<>(Map.of(id, TestKeys.bytesFrom(0)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyring.of(id, keys, TestKeys.bytesFrom(64)))
                .withMessageContaining("key id");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Keyring.of("k1", Map.of("k1", TestKeys.key("k1")), id, Map.of(id, TestKeys.bytesFrom(64))))
                .withMessageContaining("key id");
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 31, 33})
    void ofWhenAKeyHasAnotherLengthThenRefusedByName(int length) {
        SecretBytes wrong = SecretBytes.copyOf(new byte[length]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyring.of("k1", Map.of("k1", wrong), TestKeys.bytesFrom(64)))
                .withMessage("The key 'k1' must have 32 bytes, but has " + length);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyring.of("k1", Map.of("k1", TestKeys.key("k1")), wrong))
                .withMessage("The index key 'i1' must have 32 bytes, but has " + length);
    }

    @Test
    void ofWhenKeyHasTwoNamesThenRefusedWithoutRevealingIt() {
        String hex = HexFormat.of().formatHex(TestKeys.bytesFrom(64).toByteArray());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyring.of("k1", Map.of("k1", TestKeys.bytesFrom(64)), TestKeys.bytesFrom(64)))
                .withMessageContaining("'k1' and 'index/i1'")
                .withMessageNotContaining(hex);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Keyring.of(
                        "k1", Map.of("k1", TestKeys.bytesFrom(0), "k2", TestKeys.bytesFrom(0)), TestKeys.bytesFrom(64)))
                .withMessageContaining("'k1' and 'k2'");
    }
}
