package io.credential.spring.documentation;

import java.util.Set;

import org.junit.jupiter.api.Test;

import io.credential.testing.DocTable;
import io.credential.testing.MainSources;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/audit.md} lists every audit event and every reason of a failure, and no other. */
class AuditTableTests {

    @Test
    void tableListsEveryEventInTheSources() {
        Set<String> events = MainSources.literals("(apikey|webhook)\\.[a-z]+[a-z.-]*");

        assertThat(events).hasSizeGreaterThan(10);
        DocTable.read("audit.md", "event").assertListsExactly(events);
    }
}
