package io.credential.testing;

import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** One fresh database of each kind, or of the {@link TestDatabaseSource}, created when its turn comes; JUnit closes it. */
final class TestDatabases implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        List<TestDatabaseSource> others = ServiceLoader.load(TestDatabaseSource.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        Stream<TestDatabase> databases = others.isEmpty()
                ? Arrays.stream(DatabaseKind.values()).map(TestDatabase::create)
                : others.stream().map(TestDatabaseSource::create);
        return databases.map(Arguments::of);
    }
}
