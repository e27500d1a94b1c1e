package io.credential.spring.autoconfigure.diagnostics.internal;

import java.util.Optional;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import io.credential.storage.DatabaseFault;
import io.credential.storage.SchemaException;

/** Names the migration scripts that have not run, or the rights that may be missing. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {

    private static final String COMMAND = "'io.credential.spring.autoconfigure.database.PrintSchema'";

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        if (!cause.missingScripts().isEmpty()) {
            return new FailureAnalysis(
                    "The database schema is not current, and 'credential.storage.schema=validate' does not change it."
                            + " Scripts that have not run: " + String.join(", ", cause.missingScripts()) + ".",
                    "Start one node with 'credential.storage.schema=migrate' and a database user that may create tables;"
                            + " or have another user run the SQL that the command " + COMMAND + " prints.",
                    cause);
        }
        String remedy = cause.remedy();
        if (remedy != null) {
            return new FailureAnalysis(cause.problem() + ".", remedy + ".", cause);
        }
        Throwable reason = cause.getCause();
        Optional<DatabaseFault> fault = DatabaseFault.of(cause);
        return new FailureAnalysis(
                cause.getMessage() + (reason == null ? "." : ": " + reason.getMessage()),
                (fault.isPresent() ? fault.get().message() + ". " : "")
                        + "Check that no transaction stays open, and that the database user may create tables in its schema; or"
                        + " have another user run the SQL that the command " + COMMAND
                        + " prints for this user, and set 'credential.storage.schema=validate'.",
                cause);
    }
}
