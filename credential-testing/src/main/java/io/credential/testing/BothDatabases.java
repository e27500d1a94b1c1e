package io.credential.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/**
 * Runs a test class once on PostgreSQL and once on SQLite. Each run has a fresh {@link TestDatabase} that all its tests
 * share, given to the constructor or to a field annotated {@code @Parameter}, and closed afterwards.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(TestDatabases.class)
public @interface BothDatabases {}
