package io.credential.spring.console.browser;

import java.util.Optional;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/** Starts one browser in this JVM when a test class first needs it. JUnit closes it after the last one. */
final class Browsers implements ExecutionCondition, ParameterResolver, TestInstancePreConstructCallback {

    private static final String REQUIREMENT = "CREDENTIAL_TEST_BROWSER";

    private static final Optional<Chromium> INSTALLED = Chromium.installed();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return condition(INSTALLED, "required".equals(System.getenv(REQUIREMENT)));
    }

    static ConditionEvaluationResult condition(Optional<Chromium> installed, boolean required) {
        if (installed.isPresent()) {
            return ConditionEvaluationResult.enabled("A browser is installed");
        }
        String missing = "Chromium (or Chrome) and chromedriver are not installed";
        if (required) {
            throw new IllegalStateException(
                    missing + ", but the environment variable " + REQUIREMENT + " requires a browser");
        }
        return ConditionEvaluationResult.disabled(missing);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Browser.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return browser(context);
    }

    /** Constructors open pages. */
    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext instance, ExtensionContext context) {
        browser(context).reset();
    }

    private static Browser browser(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(Browsers.class))
                .computeIfAbsent(Browser.class, type -> Browser.start(INSTALLED.orElseThrow()), Browser.class);
    }
}
