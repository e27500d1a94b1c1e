package io.credential.webhook.delivery.internal.statistics;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LastOutcomesTests {

    private static final long NONE = LastOutcomes.NOT_FAILING;

    /** Attempts are times, with a plus if they were accepted; as they become known. */
    @ParameterizedTest
    @CsvSource({
        "1+, 1, none",
        "1, none, 1",
        "1 2 3, none, 1",
        "3 2 1, none, 1",
        "1+ 2 3, 1, 2",
        "3 2 1+, 1, 2",
        "1 2+, 2, none",
        "2+ 1, 2, none",
        "1 2+ 3, 2, 3",
        "1 3 2+, 2, 3",
        "3 1 2+, 2, 3",
        "2+ 1 3, 2, 3",
        "1+ 3+ 2, 3, none",
        "3+ 2 1+, 3, none",
        "2 2+, 2, none"
    })
    void mergeThenFailingSinceFirstFailureAfterSuccess(String attempts, String lastSuccess, String failingSince) {
        LastOutcomes merged = outcomes(attempts).reduce(LastOutcomes::merge).orElseThrow();

        assertThat(merged.lastSuccessAt())
                .isEqualTo(lastSuccess.equals("none") ? LastOutcomes.NEVER : Long.parseLong(lastSuccess));
        assertThat(merged.failingSince()).isEqualTo(failingSince.equals("none") ? NONE : Long.parseLong(failingSince));
    }

    /** Another node reports a success between failures of this node, whose times are not kept. */
    @ParameterizedTest
    @CsvSource({"1 3 5, 2+, 5", "1 3 5, 4+, 5", "1 3 5, 5+, none", "2+, 1 3 5, 5"})
    void mergeWhenSuccessIsLateThenLastFailureIsKept(String ours, String theirs, String failingSince) {
        LastOutcomes our = outcomes(ours).reduce(LastOutcomes::merge).orElseThrow();
        LastOutcomes their = outcomes(theirs).reduce(LastOutcomes::merge).orElseThrow();

        assertThat(List.of(our.merge(their), their.merge(our)))
                .extracting(LastOutcomes::failingSince)
                .containsOnly(failingSince.equals("none") ? NONE : Long.parseLong(failingSince));
    }

    private static Stream<LastOutcomes> outcomes(String attempts) {
        return Stream.of(attempts.split(" "))
                .map(attempt -> attempt.endsWith("+")
                        ? LastOutcomes.accepted(Long.parseLong(attempt.replace("+", "")))
                        : LastOutcomes.failed(Long.parseLong(attempt)));
    }
}
