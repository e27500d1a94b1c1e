package io.credential.spring.console.internal.audit;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditEvent.Outcome;
import io.credential.auditlog.AuditQuery;
import io.credential.spring.console.internal.web.ConsoleException;
import io.credential.spring.console.internal.web.Formats;
import io.credential.spring.console.internal.web.Parameters;

/**
 * The criteria of a search in the audit log, as the form has them and the URL contains them.
 *
 * @param query the criteria, without the cursor
 * @param values the values of the fields that are not empty
 */
public record AuditFilter(AuditQuery query, Map<String, String> values) {

    /** The fields of the form, in their order. */
    private static final List<String> TEXTS = List.of("event", "outcome", "actor", "kind", "id");

    /**
     * Returns the filter of a request.
     *
     * @throws ConsoleException if a value is malformed
     */
    @SuppressWarnings("NullAway") // which does not see that the nested type of the outcome is nullable
    static AuditFilter of(Parameters parameters, int rows) {
        Map<String, String> values = new LinkedHashMap<>();
        TEXTS.forEach(field -> parameters.text(field).ifPresent(text -> values.put(field, text)));
        parameters.time("from").ifPresent(time -> values.put("from", Formats.field(time)));
        parameters.time("before").ifPresent(time -> values.put("before", Formats.field(time)));
        try {
            AuditQuery query = new AuditQuery(
                    values.get("event"),
                    null,
                    values.get("actor"),
                    values.get("kind"),
                    values.get("id"),
                    parameters.time("from").orElse(null),
                    parameters.time("before").orElse(null),
                    rows,
                    null);
            @Nullable String outcome = values.get("outcome");
            return new AuditFilter(outcome == null ? query : query.withOutcome(outcome(outcome)), values);
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

    /** Returns the value of a field, which may be empty. */
    public String value(String field) {
        return values.getOrDefault(field, "");
    }

    /** Returns whether all entries match. */
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns the query of a URL, without a question mark. */
    public String urlQuery() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    /** Returns the criteria as a sentence would have them. */
    public String inWords() {
        return values.isEmpty()
                ? "All entries"
                : values.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", ", "Entries with ", ""));
    }
}
