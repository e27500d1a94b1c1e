package io.credential.spring.autoconfigure;

import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** What a start that failed would print, by the analyzers that Boot would ask, in its order. */
public final class Analyses {

    private Analyses() {}

    public static FailureAnalysis of(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return of(context.getStartupFailure());
    }

    public static FailureAnalysis of(@Nullable Throwable failure) {
        return of(failure, new DefaultListableBeanFactory(), new StandardEnvironment());
    }

    /** As {@link #of(Throwable)}, for analyzers that look at what the application defines or configures. */
    public static FailureAnalysis of(@Nullable Throwable failure, AssertableApplicationContext context) {
        return of(failure, context.getBeanFactory(), context.getEnvironment());
    }

    private static FailureAnalysis of(@Nullable Throwable failure, BeanFactory beanFactory, Environment environment) {
        if (failure == null) {
            throw new AssertionError("The start did not fail");
        }
        return SpringFactoriesLoader.forDefaultResourceLocation(Analyses.class.getClassLoader())
                .load(
                        FailureAnalyzer.class,
                        ArgumentResolver.of(BeanFactory.class, beanFactory).and(Environment.class, environment),
                        // Some analyze failures of libraries that are not there.
                        FailureHandler.handleMessage((message, failureToLoad) -> {}))
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing analyzes this failure", failure));
    }
}
