package io.credential.spring.autoconfigure.diagnostics.internal;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.storage.UnsupportedDatabaseException;

/** Lists the alternatives: another database, the local file, a second DataSource, or no stored data. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnsupportedDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<UnsupportedDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsupportedDatabaseException cause) {
        return new FailureAnalysis("Credential cannot store its data here. " + cause.getMessage() + ".", """
                Do one of these:
                - set 'spring.datasource.url' to a PostgreSQL database;
                - keep the data in a local SQLite file: set 'credential.storage.path', configure no DataSource, and \
                have 'org.xerial:sqlite-jdbc' on the class path;
                - keep this database for the application's own data, and mark another DataSource bean with \
                @CredentialDataSource;
                - if you need no feature that stores data, set \
                'credential.webhook.dispatcher.enabled=false'.""", cause);
    }
}
