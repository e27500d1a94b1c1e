package io.credential.spring.test;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import io.credential.architecture.HouseRule;
import io.credential.architecture.TestRule;

/** Tests of the core show that the rules find violations. */
class TestKitRuleTests {

    private static final JavaClasses PRODUCTION = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.credential.spring.test");

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("io.credential.spring.test");

    @ParameterizedTest
    @EnumSource
    void productionThenKeepsHouseRule(HouseRule rule) {
        rule.rule().check(PRODUCTION);
    }

    @ParameterizedTest
    @EnumSource
    void testsThenKeepTestRule(TestRule rule) {
        rule.rule().check(TESTS);
    }
}
