package io.credential.spring.autoconfigure.diagnostics;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.storage.SchemaException;

/** Names the migration scripts to run. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        if (!cause.missingScripts().isEmpty()) {
            return new FailureAnalysis(
                    "The database schema is not current, and 'credential.storage.schema=validate' forbids to change it."
                            + " Scripts that have not run: " + String.join(", ", cause.missingScripts()) + ".",
                    "Start one node with 'credential.storage.schema=migrate' and a database user who may create tables;"
                            + " the scripts are in credential-core, under 'io/credential/storage/migration'.",
                    cause);
        }
        Throwable reason = cause.getCause();
        return new FailureAnalysis(
                cause.getMessage() + (reason == null ? "." : ": " + reason.getMessage()),
                "Check that the database user may create tables in its schema, or have them created by one who may and"
                        + " set 'credential.storage.schema=validate'.",
                cause);
    }
}
