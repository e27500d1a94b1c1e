package io.credential.spring.console.browser;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Starts an application when a test class of this JVM first needs it. JUnit closes it after the last one. */
final class Consoles implements ParameterResolver {

    /** The applications, by how they are mounted. */
    static final class ByMount {

        private final Store store;

        private ByMount(Store store) {
            this.store = store;
        }

        RunningConsole get(Mount mount) {
            return store.computeIfAbsent(mount, RunningConsole::start, RunningConsole.class);
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ByMount.class
                || parameter.getParameter().getType() == RunningConsole.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ByMount consoles = new ByMount(context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(Consoles.class)));
        return parameter.getParameter().getType() == ByMount.class ? consoles : consoles.get(Mount.ROOT);
    }
}
