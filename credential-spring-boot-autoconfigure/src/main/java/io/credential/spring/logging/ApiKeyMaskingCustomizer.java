package io.credential.spring.logging;

import org.springframework.boot.json.JsonWriter.Members;
import org.springframework.boot.json.JsonWriter.ValueProcessor;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

import io.credential.apikey.leak.internal.TokenMask;

/**
 * Masks the secrets of API keys in structured logs, if {@code logging.structured.json.customizer} names this class.
 * Prefix, namespace and id of a key remain. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyMaskingCustomizer implements StructuredLoggingJsonMembersCustomizer<Object> {

    @Override
    public void customize(Members<Object> members) {
        members.applyingValueProcessor(
                ValueProcessor.of(String.class, text -> text == null ? null : TokenMask.mask(text)));
    }
}
