package io.credential.secret.internal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The form of tokens in other text. {@code ID} stands for an id. */
class TokenTextTests {

    private static final String ID = "0123456789abcdef";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sk_live_ID_00ff",
                "(sk_live_ID_00ff)",
                "sk_live_ID_00FF.",
                "sk_live_ID%5F00ff",
                "sk%5flive_ID%255F00ff",
                "key=sk_live_ID_00ff&other=100%"
            })
    void tokenThenOnlyItsSecretIsMasked(String text) {
        String token = text.replace("ID", ID);

        assertThat(TokenText.containsToken(token)).isTrue();
        assertThat(TokenText.mask(token)).isEqualTo(token.replaceFirst("(?i)00ff", TokenText.MASK));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_",
                "sk_live_ID_",
                "sk_live_ID_xyz",
                "sk_live_ID-00ff",
                "sk_live_0123_00ff",
                "sk_live_IDIDIDIDID_00ff",
                "sk_live_xID_00ff",
                "sk__ID_00ff",
                "_live_ID_00ff",
                "sk live_ID_00ff",
                " _live_ID_00ff",
                "ID_00ff",
                "sk_live_ID%_00ff%5",
                "sk_live_ID%zz00ff",
                "sk_live_ID%5z00ff",
                "sk_live_ID%ff00ff"
            })
    void otherTextThenStaysAsItIs(String text) {
        String other = text.replace("ID", ID);

        assertThat(TokenText.containsToken(other)).isFalse();
        assertThat(TokenText.mask(other)).isEqualTo(other);
    }

    @Test
    void namespaceWhenTooLongThenIsNoToken() {
        String text = "sk_" + "n".repeat(65) + '_' + ID + "_00ff";

        assertThat(TokenText.containsToken(text)).isFalse();
    }
}
