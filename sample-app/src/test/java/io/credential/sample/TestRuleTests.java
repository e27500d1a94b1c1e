package io.credential.sample;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import io.credential.architecture.TestRule;

/** That the rules bite is shown in the core. */
class TestRuleTests {

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
            .importPackages("io.credential.sample");

    @ParameterizedTest
    @EnumSource
    void testsThenKeepTestRule(TestRule rule) {
        rule.rule().check(TESTS);
    }
}
