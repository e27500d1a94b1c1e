package io.credential.spring.documentation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import io.credential.apikey.ApiKeyErrorCode;
import io.credential.testing.DocTable;
import io.credential.testing.MainSources;
import io.credential.webhook.WebhookErrorCode;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/audit-events.md} lists exactly the audit events, with their outcomes, and the reasons of failures. */
class AuditTableTests {

    /** {@code webhook.test} is the type of a webhook. Other names with {@code audit} are entries of the log only. */
    private static final String EVENT = "(?:(?:apikey|webhook)\\.(?!test\\b)[a-z]+[a-z.-]*|audit\\.verify)";

    /** The methods that are given the name of an event, and the outcomes that they report. */
    private static final Map<String, Set<String>> OUTCOMES = Map.of(
            "successReport", Set.of("success"),
            "failure", Set.of("failure"),
            "integrityFailure", Set.of("failure"),
            "rejection", Set.of("failure"),
            "audited", Set.of("success", "failure"),
            "change", Set.of("success", "failure"),
            "write", Set.of("success", "failure"),
            "read", Set.of("success", "failure"));

    /**
     * What calls of {@code failure} and {@code rejection} give as the reason when that is not a literal, by file: a pattern
     * that finds the literals, or nothing when the reasons are those of error codes. A text before {@code ::} restricts
     * it to files with it.
     */
    private static final Map<String, String> PASSED_ON = Map.of(
            "ApiKeyVerifier: rejected.reason()",
                    "final class TokenJudge :: (?:Rejected\\(\\s*|return |\\? )\"([a-z-]+)\"",
            "TicketRedeemer: rejected.reason()",
                    "final class TicketRedeemer :: (?:Rejected\\(\\s*|return |\\? )\"([a-z-]+)\"",
            "Verification: reason", "(?:(?:failed|abandon|abandoned)\\(\\s*|String REASON_\\w+ = )\"([a-z-]+)\"",
            "RejectionReport: refused.reason()",
                    "class RefusedCredentialsException :: String [A-Z_]+ =\\s*\"([a-z-]+)\"",
            "Operations: reasonOf(e)", "\"(integrity)\"",
            "ProcessorSignature: e.errorCode().reason()", "",
            "WebhookSigner: e.errorCode().reason()", "",
            "WebhookSender: e.errorCode().reason()", "",
            "DeathReporter: death.reason().text()", "enum DeadReason :: [A-Z_]+\\(\"([a-z-]+)\"\\)");

    private static final Pattern FAILURE = Pattern.compile("(?:failure|rejection)\\(\\s*([\\w.\"-]+),\\s*([^,;]+?),");

    @Test
    void tableThenListsEveryEventWithItsOutcomes() {
        Map<String, Set<String>> outcomes = new TreeMap<>();
        MainSources.files().map(MainSources::read).forEach(source -> addOutcomes(source, outcomes));

        assertThat(outcomes.keySet()).isEqualTo(MainSources.literals(EVENT)).hasSizeGreaterThan(10);
        Map<String, String> expected = new TreeMap<>();
        outcomes.forEach((event, ends) -> expected.put(event, String.join(", ", ends)));
        DocTable.read("audit-events.md", "event").assertColumn("outcomes", expected);
    }

    @Test
    void tableThenListsEveryReason() {
        Set<String> reasons = new TreeSet<>();
        Arrays.stream(ApiKeyErrorCode.values())
                .filter(code -> code != ApiKeyErrorCode.UNREADABLE_ROW)
                .map(code -> code.text().substring("api-key/".length()))
                .forEach(reasons::add);
        Arrays.stream(WebhookErrorCode.values())
                .filter(code -> !ErrorTableTests.AT_STARTUP.contains(code))
                .map(WebhookErrorCode::reason)
                .forEach(reasons::add);
        MainSources.files().forEach(file -> {
            String name = file.getFileName().toString().replace(".java", "");
            FAILURE.matcher(MainSources.read(file)).results().forEach(call -> addReasons(name, call.group(2), reasons));
        });

        DocTable.read("audit-events.md", "reason").assertListsExactly(reasons);
    }

    /** Finds every call whose first argument is the name of an event, as a literal or by a constant of the same file. */
    private static void addOutcomes(String source, Map<String, Set<String>> outcomes) {
        Matcher literal = Pattern.compile("\"(" + EVENT + ")\"").matcher(source);
        while (literal.find()) {
            String event = literal.group(1);
            Set<String> ends = outcomes.computeIfAbsent(event, name -> new TreeSet<>(Comparator.reverseOrder()));
            Matcher constant = Pattern.compile("String (\\w+) =\\s*\"" + Pattern.quote(event) + "\"")
                    .matcher(source);
            String name = constant.find() ? "(?:\\w+\\.)?" + constant.group(1) : Pattern.quote(literal.group());
            Pattern.compile("(\\w+)\\(\\s*" + name + "\\s*,")
                    .matcher(source)
                    .results()
                    .map(call -> call.group(1))
                    .forEach(method -> {
                        assertThat(OUTCOMES)
                                .as(
                                        "Say in AuditTableTests which outcomes of %s the method '%s' reports",
                                        event, method)
                                .containsKey(method);
                        ends.addAll(OUTCOMES.getOrDefault(method, Set.of()));
                    });
        }
    }

    private static void addReasons(String file, String argument, Set<String> reasons) {
        if (argument.startsWith("\"")) {
            reasons.add(argument.replace("\"", ""));
            return;
        }
        String key = file + ": " + argument;
        if (!key.startsWith("AuditTrail: ")) {
            assertThat(PASSED_ON)
                    .as("Say in AuditTableTests where this reason of an audit event comes from")
                    .containsKey(key);
            String found = PASSED_ON.getOrDefault(key, "");
            int restriction = found.indexOf(" :: ");
            Pattern calls = Pattern.compile(restriction < 0 ? found : found.substring(restriction + 4));
            MainSources.files()
                    .map(MainSources::read)
                    .filter(source -> restriction < 0 || source.contains(found.substring(0, restriction)))
                    .flatMap(source -> calls.matcher(source).results())
                    .filter(call -> call.groupCount() == 1)
                    .map(call -> call.group(1))
                    .forEach(reasons::add);
        }
    }
}
