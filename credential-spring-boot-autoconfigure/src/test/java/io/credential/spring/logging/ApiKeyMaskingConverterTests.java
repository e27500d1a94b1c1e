package io.credential.spring.logging;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Logback with the configuration in the documentation. */
@ExtendWith(OutputCaptureExtension.class)
class ApiKeyMaskingConverterTests {

    private static final String MASKED = "bk_live_0011223344556677_***";
    private static final String SECRET = "00112233445566778899aabbccddeeff";
    private static final String TOKEN = "bk_live_0011223344556677_" + SECRET;

    private final LoggerContext context = new LoggerContext();
    private Logger log;

    @BeforeEach
    void configure() throws IOException, JoranException {
        context.setMDCAdapter(new LogbackMDCAdapter());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(new ByteArrayInputStream(documented().getBytes(UTF_8)));
        log = context.getLogger("shop");
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private static String documented() throws IOException {
        Matcher block = Pattern.compile("^```xml\\n(<configuration>\\n.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/api-keys.md")));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void logWhenMessageContainsKeyThenMasked(CapturedOutput output) {
        log.info("Called with {} by {}", TOKEN, "shop");

        assertThat(output).contains("Called with " + MASKED + " by shop\n").doesNotContain(SECRET);
    }

    @Test
    void logWhenExceptionsContainKeyThenMasked(CapturedOutput output) {
        IllegalStateException failure =
                new IllegalStateException("No " + TOKEN, new IllegalArgumentException("Bad " + TOKEN));
        failure.addSuppressed(new IOException("Also " + TOKEN));

        log.error("Failed", failure);

        assertThat(output)
                .contains(
                        "java.lang.IllegalStateException: No " + MASKED,
                        "Caused by: java.lang.IllegalArgumentException: Bad " + MASKED,
                        "Suppressed: java.io.IOException: Also " + MASKED,
                        "at " + getClass().getName())
                .doesNotContain(SECRET);
        assertThat(output.toString().split("IllegalStateException: No", -1)).hasSize(2);
    }

    @Test
    void logWhenThereIsNoKeyThenUnchanged(CapturedOutput output) {
        log.warn("Order {} (new)", 7);

        assertThat(output).contains("WARN").contains("shop").contains(": Order 7 (new)\n");
    }
}
