package io.credential.spring.autoconfigure.webhook;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class PatternOverlapTests {

    @ParameterizedTest
    @CsvSource({
        "/hooks/partner, /hooks/partner",
        "/hooks/Partner/, //hooks/partner",
        "/hooks/partner, /hooks/{name}",
        "/hooks/partner, '/hooks/{name:[a-z/]+}'",
        "/hooks/part*, /hooks/partner",
        "/hooks/P*, /hooks/partner",
        "/hooks/Part*, /hooks/partner-{id}",
        "/hooks/**, /hooks",
        "/hooks/**, /hooks/partner/in",
        "/hooks/{*rest}, /hooks/partner/in",
        "/{a}/partner, /hooks/{b}",
        "/**/partner, /hooks/**",
        "/**, /"
    })
    void existsWhenSomePathMatchesBothThenTrue(String first, String second) {
        assertThat(PatternOverlap.exists(first, second)).isTrue();
        assertThat(PatternOverlap.exists(second, first)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/hooks/partner, /hooks/partnr",
        "/hooks/partner, /hooks",
        "/hooks/partner, /hooks/{a}/{b}",
        "/hooks/partnr*, /hooks/partner",
        "/hooks/github-*, /hooks/stripe-{id}",
        "/hooks/partner, '/hooks/{name:[0-9]+}'",
        "/hooks/**, /hook/partner",
        "/**/partner, /hooks/other"
    })
    void existsWhenNoPathMatchesBothThenFalse(String first, String second) {
        assertThat(PatternOverlap.exists(first, second)).isFalse();
        assertThat(PatternOverlap.exists(second, first)).isFalse();
    }
}
