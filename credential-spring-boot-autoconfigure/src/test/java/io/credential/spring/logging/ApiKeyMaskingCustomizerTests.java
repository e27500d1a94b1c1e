package io.credential.spring.logging;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;

import static org.assertj.core.api.Assertions.assertThat;

/** The structured formats of Spring Boot with the customizer. */
class ApiKeyMaskingCustomizerTests {

    private static final String MASKED = "bk_live_0011223344556677_***";
    private static final String SECRET = "00112233445566778899aabbccddeeff";
    private static final String TOKEN = "bk_live_0011223344556677_" + SECRET;

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void configure() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putObject(
                Environment.class.getName(),
                new MockEnvironment()
                        .withProperty("logging.structured.json.customizer", ApiKeyMaskingCustomizer.class.getName()));
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ecs", "gelf", "logstash"})
    void encodeWhenEventContainsKeyThenMasked(String format) {
        StructuredLogEncoder encoder = new StructuredLogEncoder();
        encoder.setContext(context);
        encoder.setFormat(format);
        encoder.start();
        LoggingEvent event = new LoggingEvent(
                getClass().getName(),
                context.getLogger("shop"),
                Level.ERROR,
                "Called with {}",
                new IllegalStateException("No " + TOKEN),
                new Object[] {TOKEN});

        String line = new String(encoder.encode(event), StandardCharsets.UTF_8);

        assertThat(line)
                .contains("Called with " + MASKED, "IllegalStateException: No " + MASKED)
                .doesNotContain(SECRET);
    }
}
