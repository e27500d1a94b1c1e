package io.credential.spring.leak.internal;

import java.util.List;
import java.util.Optional;

import io.credential.apikey.leak.internal.LeakReport;
import io.credential.apikey.leak.internal.LeakedKey;

/** Acts on reports whose signature is valid. Thread-safe. */
@FunctionalInterface
public interface LeakReportHandler {

    /**
     * Finds the keys of reported tokens, changes them, and tells their owners and the operators.
     *
     * @return for each report, the key; empty if the text is not the token of a key
     * @throws io.credential.apikey.ApiKeyException if the reports must be repeated
     */
    List<Optional<LeakedKey>> handle(List<LeakReport> reports);
}
