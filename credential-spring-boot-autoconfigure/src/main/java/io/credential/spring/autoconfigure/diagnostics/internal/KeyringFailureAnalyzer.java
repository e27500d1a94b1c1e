package io.credential.spring.autoconfigure.diagnostics.internal;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.keyring.KeyringException;

/** Reports a keyring that is missing, unreadable, accessible to others, or belongs to another database. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class KeyringFailureAnalyzer extends AbstractFailureAnalyzer<KeyringException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, KeyringException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
