package io.credential.sample;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a test class once on PostgreSQL and once on SQLite. The {@link RunningSample} that is given to the constructor is
 * started once for all test classes of a JVM: use owners, paths, event types and ids of endpoints that no other test
 * uses.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}", autoCloseArguments = false)
@ArgumentsSource(RunningSamples.class)
@interface SampleTest {}
