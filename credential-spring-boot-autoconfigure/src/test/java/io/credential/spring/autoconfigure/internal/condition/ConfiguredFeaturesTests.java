package io.credential.spring.autoconfigure.internal.condition;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class ConfiguredFeaturesTests {

    private static final String INBOUND = "credential.webhook.inbound";

    private static boolean storesNonces(String property, String value) {
        return new ConfiguredFeatures(new MockEnvironment().withProperty(INBOUND + property, value)).storesNonces();
    }

    @ParameterizedTest
    @ValueSource(strings = {".partner", ".gitHub", ".git_hub", "[acme.corp]"})
    void storesNoncesThenFindsSendersOfAnyName(String sender) {
        assertThat(storesNonces(sender + ".nonce-store", "jdbc")).isTrue();
        assertThat(storesNonces(sender + ".nonce-store", "memory")).isFalse();
        assertThat(storesNonces(sender + ".paths", "/hooks")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"nonceStore, JDBC, true", "nonce-store, ' jdbc ', true", "nonce-store, jdbk, false"})
    void storesNoncesThenReadsValuesAsProperties(String property, String value, boolean stores) {
        assertThat(storesNonces(".partner." + property, value)).isEqualTo(stores);
    }
}
