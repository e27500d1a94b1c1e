package io.credential.spring.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.storage.UnsupportedDatabaseException;

/** Names both ways out: another database, or the local file. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnsupportedDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedDatabaseException cause) {
        return new FailureAnalysis(
                "Credential cannot store its data in " + cause.product()
                        + ": PostgreSQL 14 or newer and SQLite are supported.",
                """
                Either give the application a PostgreSQL database, by 'spring.datasource.url'; or let Credential use a \
                local SQLite file: set 'credential.storage.path', configure no DataSource, and have \
                'org.xerial:sqlite-jdbc' on the class path. An application that keeps this database for its own data \
                marks another DataSource bean with @CredentialDataSource.""",
                cause);
    }
}
