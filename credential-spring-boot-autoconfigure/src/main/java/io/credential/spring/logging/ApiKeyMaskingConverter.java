package io.credential.spring.logging;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

import io.credential.apikey.leak.internal.TokenMask;

/**
 * A conversion word for Logback that masks the secrets of API keys in whatever it encloses, such as messages and
 * exceptions: {@code %maskApiKeys(%m%n%wEx)}. Prefix, namespace and id of a key remain. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ApiKeyMaskingConverter extends CompositeConverter<ILoggingEvent> {

    @Override
    protected String transform(ILoggingEvent event, String in) {
        return TokenMask.mask(in);
    }
}
