package io.credential.spring.security;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;

/** In a native image, the scopes that beans require can be read, or they would not be enforced. */
class ScopeHintsTests {

    private final RuntimeHints hints = new RuntimeHints();

    @ParameterizedTest
    @ValueSource(classes = {Reports.class, ReportsOfInterface.class, ReportsOfOwnAnnotation.class})
    void methodWhenScopeRequiredThenIsIncluded(Class<?> bean) throws NoSuchMethodException {
        new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, bean);

        Class<?> annotated = bean == ReportsOfInterface.class ? ReadableReports.class : bean;
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(annotated.getDeclaredMethod("read")))
                .accepts(hints);
    }

    static class Reports {

        @RequiresScope("reports:read")
        void read() {}
    }

    interface ReadableReports {

        @RequiresScope("reports:read")
        void read();
    }

    static class ReportsOfInterface implements ReadableReports {

        @Override
        public void read() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RequiresScope("reports:read")
    @interface ReportsScope {}

    static class ReportsOfOwnAnnotation {

        @ReportsScope
        void read() {}
    }
}
