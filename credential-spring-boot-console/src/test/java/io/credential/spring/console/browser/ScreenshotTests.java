package io.credential.spring.console.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes the pictures of the documentation. They are written to {@code docs/images} with {@code -Dcredential.docs.write=true}, and
 * otherwise to {@code target}: fonts differ between machines, so that pictures are not compared.
 */
@BrowserTest
class ScreenshotTests {

    private static final Path FOLDER =
            Path.of(Boolean.getBoolean("credential.docs.write") ? "../docs/images" : "target/images");

    private static final int LARGEST = 250_000;

    private final Browser browser;
    private final RunningConsole console;

    ScreenshotTests(Browser browser, RunningConsole console) {
        this.browser = browser;
        this.console = console;
        browser.logIn(console, ConsoleUser.OPERATOR);
    }

    @ParameterizedTest
    @EnumSource(
            value = Screen.class,
            names = {"DELIVERY_DEAD", "ENDPOINT"})
    void screenThenIsWrittenAsASmallPicture(Screen screen) throws IOException {
        browser.open(screen.url(console.url(), console.data()));

        byte[] picture = browser.screenshot();

        assertThat(picture).hasSizeBetween(10_000, LARGEST);
        String name = screen.name().toLowerCase(Locale.ROOT).replace('_', '-');
        Files.createDirectories(FOLDER);
        Files.write(FOLDER.resolve("console-" + name + ".png"), picture);
    }
}
