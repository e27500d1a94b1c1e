package io.credential.spring.autoconfigure.actuate;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

import io.credential.apikey.leak.internal.TokenMask;

/** Masks every value that contains an API key. */
final class ApiKeyValues implements SanitizingFunction {

    @Override
    public SanitizableData apply(SanitizableData data) {
        return TokenMask.isIn(String.valueOf(data.getValue())) ? data.withSanitizedValue() : data;
    }
}
