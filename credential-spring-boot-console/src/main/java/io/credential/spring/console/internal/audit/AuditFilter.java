package io.credential.spring.console.internal.audit;

import java.util.List;
import java.util.stream.Collectors;

import io.credential.audit.AuditEvent.Outcome;
import io.credential.auditlog.AuditQuery;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.FilterValues;
import io.credential.spring.console.internal.web.Parameters;

/**
 * The criteria of a search in the audit log, as the form has them and the URL contains them.
 *
 * @param query the criteria, without the cursor
 * @param values as they were entered
 */
public record AuditFilter(AuditQuery query, FilterValues values) {

    /** The fields of the form, in their order. */
    private static final List<String> TEXTS = List.of("event", "outcome", "actor", "kind", "id");

    private static final List<String> TIMES = List.of("from", "before");

    /**
     * Returns the filter of a request.
     *
     * @throws ConsoleException if a value is malformed
     */
    @SuppressWarnings("NullAway") // which does not see that the nested type of the outcome is nullable
    static AuditFilter of(Parameters parameters, int rows) {
        FilterValues values = FilterValues.of(parameters, TEXTS, TIMES);
        try {
            AuditQuery query = new AuditQuery(
                    parameters.text("event").orElse(null),
                    null,
                    parameters.text("actor").orElse(null),
                    parameters.text("kind").orElse(null),
                    parameters.text("id").orElse(null),
                    parameters.time("from").orElse(null),
                    parameters.time("before").orElse(null),
                    rows,
                    null);
            return new AuditFilter(
                    parameters
                            .text("outcome")
                            .map(outcome -> query.withOutcome(outcome(outcome)))
                            .orElse(query),
                    values);
        } catch (IllegalArgumentException e) {
            throw ConsoleException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static Outcome outcome(String text) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome.text().equals(text)) {
                return outcome;
            }
        }
        throw ConsoleException.badRequest("'outcome' must be success or failure.");
    }

    /** Returns the criteria as a sentence would have them. */
    public String inWords() {
        return values.isEmpty()
                ? "All entries"
                : values.byField().entrySet().stream()
                        .map(entry -> words(entry.getKey(), entry.getValue()))
                        .collect(Collectors.joining(", ", "Entries with ", ""));
    }

    private static String words(String field, String value) {
        return switch (field) {
            case "kind", "id" -> "resource " + field + " " + value;
            case "from" -> "time at or after " + value.replace('T', ' ') + " UTC";
            case "before" -> "time before " + value.replace('T', ' ') + " UTC";
            default -> field + " " + value;
        };
    }
}
