package io.credential.spring.architecture;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.HouseRule;
import io.credential.architecture.TestRule;
import io.credential.spring.architecture.planted.autoconfigure.ChangesTheApplication;
import io.credential.spring.architecture.planted.autoconfigure.ClosesACycle;
import io.credential.spring.architecture.planted.autoconfigure.ComparesText;
import io.credential.spring.architecture.planted.autoconfigure.GuessesBeans;
import io.credential.spring.architecture.planted.autoconfigure.OpenAutoConfiguration;
import io.credential.spring.architecture.planted.autoconfigure.RequiresItsOwnBean;
import io.credential.spring.architecture.planted.spring.operations.KnowsActuator;
import io.credential.spring.architecture.planted.spring.security.KnowsItsWiring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

class AutoConfigurationRuleTests {

    private static final JavaClasses TESTS = new ClassFileImporter().importPath(Path.of("target", "test-classes"));

    private static final JavaClasses PLANTED =
            TESTS.that(resideInAPackage("io.credential.spring.architecture.planted.."));

    private static final Map<AutoConfigurationRule, Class<?>> OFFENDERS = new EnumMap<>(Map.ofEntries(
            entry(AutoConfigurationRule.FINAL_AND_PUBLIC, OpenAutoConfiguration.class),
            entry(AutoConfigurationRule.WITHOUT_PUBLIC_METHODS, OpenAutoConfiguration.class),
            entry(AutoConfigurationRule.LISTED_FOR_SPRING_BOOT, OpenAutoConfiguration.class),
            entry(AutoConfigurationRule.CLASS_CONDITIONS_STAND_ON_CLASSES, ChangesTheApplication.class),
            entry(AutoConfigurationRule.POST_PROCESSORS_ARE_STATIC, ChangesTheApplication.class),
            entry(AutoConfigurationRule.NO_BEAN_THAT_CHANGES_THE_APPLICATION, ChangesTheApplication.class),
            entry(AutoConfigurationRule.SEVERAL_BEANS_ARE_NOT_NONE, GuessesBeans.class),
            entry(AutoConfigurationRule.CONDITIONS_READ_VALUES_AS_PROPERTIES_DO, ComparesText.class),
            entry(AutoConfigurationRule.SUBTYPES_OF_REPLACEABLE_BEANS_ARE_NOT_REQUIRED, RequiresItsOwnBean.class),
            entry(AutoConfigurationRule.CLOCKS_ARE_MARKED, GuessesBeans.class),
            entry(AutoConfigurationRule.FEATURES_DO_NOT_KNOW_THEIR_WIRING, KnowsItsWiring.class),
            entry(AutoConfigurationRule.OPERATIONS_KNOW_NEITHER_HTTP_NOR_WIRING, KnowsActuator.class),
            entry(AutoConfigurationRule.PACKAGES_HAVE_NO_CYCLES, ClosesACycle.class)));

    @ParameterizedTest
    @EnumSource
    void productionThenKeepsAutoConfigurationRule(AutoConfigurationRule rule) {
        rule.rule().check(OwnClasses.ALL);
    }

    @ParameterizedTest
    @EnumSource
    void ruleWhenViolationIsPlantedThenFindsIt(AutoConfigurationRule rule) {
        assertThat(OFFENDERS).containsKey(rule);
        assertThat(rule.rule().evaluate(PLANTED).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains(OFFENDERS.get(rule).getName()));
    }

    /** That the house rules bite is shown in the core. */
    @ParameterizedTest
    @EnumSource
    void productionThenKeepsHouseRule(HouseRule rule) {
        rule.rule().check(OwnClasses.ALL);
    }

    /** That these rules bite is shown in the core, too. */
    @ParameterizedTest
    @EnumSource
    void testsThenKeepTestRule(TestRule rule) {
        rule.rule().check(TESTS);
    }
}
