package io.credential.architecture;

import java.util.EnumMap;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.planted.house.DrawsHiddenRandomness;
import io.credential.architecture.planted.house.NamelessUtils;
import io.credential.architecture.planted.house.Prints;
import io.credential.architecture.planted.house.ReadsTheWallClock;
import io.credential.architecture.planted.house.SharesItsLogger;
import io.credential.architecture.planted.house.SilentAboutNull;

import static org.assertj.core.api.Assertions.assertThat;

class HouseRuleTests {

    private static final JavaClasses PLANTED =
            new ClassFileImporter().importPackages("io.credential.architecture.planted.house");

    private static final Map<HouseRule, Class<?>> OFFENDERS = new EnumMap<>(Map.of(
            HouseRule.TIME_IS_INJECTED, ReadsTheWallClock.class,
            HouseRule.RANDOMNESS_IS_INJECTED, DrawsHiddenRandomness.class,
            HouseRule.PACKAGES_ARE_NULL_MARKED, SilentAboutNull.class,
            HouseRule.NAMES_SAY_THE_ROLE, NamelessUtils.class,
            HouseRule.NOTHING_IS_PRINTED, Prints.class,
            HouseRule.LOGGERS_ARE_PRIVATE_CONSTANTS, SharesItsLogger.class));

    @ParameterizedTest
    @EnumSource
    void productionCodeThenKeepsRule(HouseRule rule) {
        rule.rule().check(PublishedClasses.ALL);
    }

    @ParameterizedTest
    @EnumSource
    void violationWhenPlantedThenFound(HouseRule rule) {
        assertThat(OFFENDERS).containsKey(rule);
        assertThat(rule.rule().evaluate(PLANTED).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains(OFFENDERS.get(rule).getName()));
    }
}
