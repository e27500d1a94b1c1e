package io.credential.architecture;

import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.planted.tests.HasADeadline;
import io.credential.architecture.planted.tests.IsNamedLikeASentence;
import io.credential.architecture.planted.tests.ListsThreads;
import io.credential.architecture.planted.tests.MeasuresTime;
import io.credential.architecture.planted.tests.Sleeps;
import io.credential.architecture.planted.tests.UsesTheCommonPool;
import io.credential.architecture.planted.tests.WaitsForALimitedTime;
import io.credential.architecture.planted.tests.WaitsWithoutALimit;
import io.credential.testing.ModuleFolders;

import static org.assertj.core.api.Assertions.assertThat;

class TestRuleTests {

    /** The tests of the libraries, which are compiled before those of this module. */
    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/architecture/planted/"))
            .importPaths(ModuleFolders.all("target/test-classes"));

    private static final JavaClasses PLANTED =
            new ClassFileImporter().importPackages("io.credential.architecture.planted.tests");

    private static final Map<TestRule, Class<?>> OFFENDERS = Map.of(
            TestRule.NOTHING_SLEEPS, Sleeps.class,
            TestRule.WAITS_ARE_PATIENT, WaitsForALimitedTime.class,
            TestRule.WAITS_ARE_LIMITED, WaitsWithoutALimit.class,
            TestRule.TESTS_HAVE_NO_DEADLINE, HasADeadline.class,
            TestRule.THREADS_ARE_WAITED_FOR, ListsThreads.class,
            TestRule.TASKS_HAVE_THEIR_OWN_THREADS, UsesTheCommonPool.class,
            TestRule.NO_TIME_IS_MEASURED, MeasuresTime.class,
            TestRule.NAMES_SAY_WHAT_FOLLOWS, IsNamedLikeASentence.class);

    @ParameterizedTest
    @EnumSource
    void testsThenKeepTheRule(TestRule rule) {
        rule.rule().check(TESTS);
    }

    @ParameterizedTest
    @EnumSource
    void violationWhenPlantedThenFound(TestRule rule) {
        assertThat(OFFENDERS).containsKey(rule);
        assertThat(rule.rule().evaluate(PLANTED).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains(OFFENDERS.get(rule).getName()));
    }
}
