package io.credential.spring.test;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.HouseRule;
import io.credential.architecture.TestRule;

/** Tests of the core show that the rules find violations. */
class TestKitRuleTests {

    private static final JavaClasses PRODUCTION = new ClassFileImporter().importPath(Path.of("target", "classes"));

    private static final JavaClasses TESTS = new ClassFileImporter().importPath(Path.of("target", "test-classes"));

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
