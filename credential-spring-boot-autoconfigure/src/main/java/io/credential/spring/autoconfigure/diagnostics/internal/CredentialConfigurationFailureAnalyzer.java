package io.credential.spring.autoconfigure.diagnostics.internal;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;

/** Reports configurations that the auto-configuration rejects. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class CredentialConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<CredentialConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, CredentialConfigurationException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
