package io.credential.spring.console.browser;

import java.nio.file.Path;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BrowsersTests {

    @Test
    void conditionWhenBrowserIsInstalledThenRunsTests() {
        Chromium installed = new Chromium(Path.of("chromium"), Path.of("chromedriver"));

        assertThat(Browsers.condition(Optional.of(installed), true).isDisabled())
                .isFalse();
    }

    @Test
    void conditionWhenBrowserIsMissingThenSkipsTests() {
        assertThat(Browsers.condition(Optional.empty(), false).getReason())
                .contains("Chromium (or Chrome) and chromedriver are not installed");
    }

    @Test
    void conditionWhenBrowserIsRequiredThenFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Browsers.condition(Optional.empty(), true))
                .withMessageContaining("CREDENTIAL_TEST_BROWSER");
    }
}
