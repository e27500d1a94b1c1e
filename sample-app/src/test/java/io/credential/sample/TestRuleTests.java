package io.credential.sample;

import java.nio.file.Path;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.TestRule;

/** That the rules bite is shown in the core. */
class TestRuleTests {

    private static final JavaClasses TESTS = new ClassFileImporter().importPath(Path.of("target", "test-classes"));

    @ParameterizedTest
    @EnumSource
    void testsThenKeepTestRule(TestRule rule) {
        rule.rule().check(TESTS);
    }
}
