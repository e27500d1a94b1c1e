package io.credential.spring.autoconfigure.json;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.converter.Converter;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.audit.AuditEvent;
import io.credential.secret.HashAlgorithm;
import io.credential.webhook.WebhookErrorCode;
import io.credential.webhook.delivery.BulkJobState;
import io.credential.webhook.delivery.DeadReason;
import io.credential.webhook.delivery.DeliveryStatus;
import io.credential.webhook.delivery.PauseReason;
import io.credential.webhook.delivery.PayloadFormat;
import io.credential.webhook.delivery.SignatureScheme;
import io.credential.webhook.delivery.WebhookDispatcherErrorCode;
import io.credential.webhook.http.FailurePhase;
import io.credential.webhook.http.FailureReason;

/**
 * An enum whose constants are written as words, for example {@code in-flight}. Converts a word into its constant.
 *
 * @param type the enum
 * @param text returns the word of a constant
 */
record EnumWords<E extends Enum<E>>(Class<E> type, Function<E, String> text) implements Converter<String, @Nullable E> {

    static final List<EnumWords<?>> ALL = List.of(
            new EnumWords<>(ApiKeyErrorCode.class, ApiKeyErrorCode::text),
            new EnumWords<>(AuditEvent.Outcome.class, AuditEvent.Outcome::text),
            new EnumWords<>(BulkJobState.class, BulkJobState::text),
            new EnumWords<>(DeadReason.class, DeadReason::text),
            new EnumWords<>(DeliveryStatus.class, DeliveryStatus::text),
            new EnumWords<>(FailurePhase.class, FailurePhase::text),
            new EnumWords<>(FailureReason.class, FailureReason::text),
            new EnumWords<>(HashAlgorithm.class, HashAlgorithm::text),
            new EnumWords<>(PauseReason.class, PauseReason::text),
            new EnumWords<>(PayloadFormat.class, PayloadFormat::text),
            new EnumWords<>(SignatureScheme.class, SignatureScheme::text),
            new EnumWords<>(WebhookDispatcherErrorCode.class, WebhookDispatcherErrorCode::text),
            new EnumWords<>(WebhookErrorCode.class, WebhookErrorCode::text));

    /**
     * Returns the constant of a word, or null for an empty text.
     *
     * @throws IllegalArgumentException if the enum has no such word
     */
    @Override
    public @Nullable E convert(String word) {
        if (word.isEmpty()) {
            return null;
        }
        for (E constant : type.getEnumConstants()) {
            if (text.apply(constant).equals(word)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("Must be one of: "
                + Arrays.stream(type.getEnumConstants()).map(text).collect(Collectors.joining(", ")));
    }
}
