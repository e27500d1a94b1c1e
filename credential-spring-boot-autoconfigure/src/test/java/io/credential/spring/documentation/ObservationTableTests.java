package io.credential.spring.documentation;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.micrometer.common.docs.KeyName;

import io.credential.observation.CredentialObservation;
import io.credential.testing.DocTable;

/** {@code docs/monitoring.md} lists every observation with its tags; a test of the sample lists the metrics. */
class ObservationTableTests {

    @Test
    void tableThenListsEveryObservationWithItsTags() throws ReflectiveOperationException {
        Map<String, String> tags = new TreeMap<>();
        for (CredentialObservation observation : CredentialObservation.values()) {
            String name = Objects.requireNonNull(observation.getDefaultConvention())
                    .getConstructor()
                    .newInstance()
                    .getName();
            tags.put(
                    name,
                    Arrays.stream(observation.getLowCardinalityKeyNames())
                            .map(KeyName::asString)
                            .map(key -> "`" + key + "`")
                            .collect(Collectors.joining(", ")));
        }

        DocTable.read("monitoring.md", "observation").assertColumn("tags", tags);
    }
}
