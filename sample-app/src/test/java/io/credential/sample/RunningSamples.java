package io.credential.sample;

import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

import io.credential.testing.DatabaseKind;

/** Starts the sample when the first test class needs it. JUnit closes it after the last one. */
final class RunningSamples implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        // Failsafe requests one test class at a time, but opens only one session in each JVM.
        Store store = context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(RunningSamples.class));
        return Arrays.stream(DatabaseKind.values())
                .map(kind -> store.computeIfAbsent(kind, RunningSample::start, RunningSample.class))
                .map(Arguments::of);
    }
}
