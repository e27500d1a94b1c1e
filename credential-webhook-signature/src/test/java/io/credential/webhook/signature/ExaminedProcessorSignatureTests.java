package io.credential.webhook.signature;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import io.credential.audit.AuditEvent;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.WebhookException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ExaminedProcessorSignatureTests {

    private static final byte[] BODY = "{}".getBytes(UTF_8);
    private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final List<AuditEvent> audited = new ArrayList<>();
    private final ProcessorSignature signature = ProcessorSignature.builder()
            .secret("whsec_for_this_test_alone")
            .clock(now::get)
            .audit(audited::add)
            .build();

    @Test
    void examineWhenHeaderIsMissingThenRefusedAndAudited() {
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> signature.examine(null))
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookErrorCode.MISSING_HEADER));
        assertThat(audited)
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("missing-header"));
    }

    @Test
    void examineWhenTimestampIsStaleThenRefused() {
        String header = signature.sign(BODY, NOW.getEpochSecond() - 301);

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> signature.examine(header))
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookErrorCode.STALE_TIMESTAMP));
    }

    @Test
    void verifyWhenBodyCameTooLateThenRefused() {
        PresentedSignature<ProcessorVerification> presented = signature.examine(signature.sign(BODY));
        now.set(NOW.plus(Duration.ofMinutes(6)));

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> presented.verify(BODY))
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookErrorCode.STALE_TIMESTAMP));
    }

    @Test
    void verifyWhenExaminedThenItsBodyOnlyIsAccepted() {
        PresentedSignature<ProcessorVerification> presented = signature.examine(signature.sign(BODY));

        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> presented.verify("[]".getBytes(UTF_8)))
                .satisfies(e -> assertThat(e.errorCode()).isEqualTo(WebhookErrorCode.BAD_SIGNATURE));
        assertThat(presented.verify(BODY)).isEqualTo(new ProcessorVerification(NOW.getEpochSecond(), "v1"));
    }

    @Test
    void verifyThenCallsBackBeforeAuditing() {
        PresentedSignature<ProcessorVerification> presented = signature.examine(signature.sign(BODY));
        audited.clear();
        List<Integer> auditedBefore = new ArrayList<>();

        presented.verify(BODY, () -> auditedBefore.add(audited.size()));
        assertThatExceptionOfType(WebhookException.class)
                .isThrownBy(() -> presented.verify(new byte[0], () -> auditedBefore.add(audited.size())));

        assertThat(audited).extracting(AuditEvent::reason).containsExactly(null, "bad-signature");
        assertThat(auditedBefore).containsExactly(0, 1);
    }
}
