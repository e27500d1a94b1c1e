package io.credential;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.credential.cluster.LeaseLeadership;
import io.credential.cluster.LeaseSettings;
import io.credential.cluster.NodePresence;
import io.credential.keyring.KeyringFile;
import io.credential.keyring.KeyringGuard;
import io.credential.seal.BlindIndex;
import io.credential.seal.CellAddress;
import io.credential.seal.Keyring;
import io.credential.seal.RowMac;
import io.credential.seal.RowValues;
import io.credential.seal.Sealer;
import io.credential.secret.SecretBytes;
import io.credential.storage.CredentialDatabase;
import io.credential.storage.SchemaMigrator;
import io.credential.storage.SchemaScripts;
import io.credential.storage.sqlite.SqliteDataSource;
import io.credential.testing.DatabaseKind;
import io.credential.testing.NullArguments;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The layers below the registries and webhooks have no error codes: they name the argument that is null. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NullArgumentTests {

    private static final SecureRandom RANDOM = new SecureRandom();

    @AutoClose
    private final TestDatabase test = TestDatabase.create(DatabaseKind.SQLITE);

    private final CredentialDatabase database = test.database();
    private final Keyring keyring = Keyring.generate(RANDOM);
    private final LeaseSettings lease = LeaseSettings.of("node", null, Duration.ofSeconds(1));

    private final Map<Class<?>, Supplier<Object>> called = Map.ofEntries(
            Map.entry(Keyring.class, () -> keyring),
            Map.entry(Sealer.class, () -> new Sealer(keyring, RANDOM)),
            Map.entry(CellAddress.class, () -> address()),
            Map.entry(RowMac.class, () -> new RowMac(keyring)),
            Map.entry(RowValues.class, () -> new RowValues("t")),
            Map.entry(BlindIndex.class, () -> new BlindIndex(keyring, "purpose")),
            Map.entry(CredentialDatabase.class, () -> database),
            Map.entry(KeyringFile.class, () -> new KeyringFile(Path.of("keyring.json"), false)),
            Map.entry(
                    KeyringGuard.class, () -> new KeyringGuard(database, RANDOM, Set.of(), () -> false, keyring -> {})),
            Map.entry(SchemaMigrator.class, () -> new SchemaMigrator(database)),
            Map.entry(SchemaScripts.class, () -> scripts()),
            Map.entry(LeaseSettings.class, () -> lease),
            Map.entry(NodePresence.class, () -> new NodePresence(database, "node", RANDOM)),
            // Their methods take nothing that must not be null.
            Map.entry(SqliteDataSource.class, () -> test.dataSource()),
            Map.entry(LeaseLeadership.class, () -> new Object()));

    private final Map<Class<?>, Object> samples = Map.ofEntries(
            Map.entry(String.class, "text"),
            Map.entry(byte[].class, new byte[1]),
            Map.entry(boolean.class, false),
            Map.entry(List.class, List.of()),
            Map.entry(Set.class, Set.of()),
            Map.entry(Map.class, Map.of("text", SecretBytes.random(32, RANDOM))),
            Map.entry(Duration.class, Duration.ofSeconds(1)),
            Map.entry(SecureRandom.class, RANDOM),
            Map.entry(Supplier.class, (Supplier<Object>) Object::new),
            Map.entry(Consumer.class, (Consumer<Object>) argument -> {}),
            Map.entry(BooleanSupplier.class, (BooleanSupplier) () -> false),
            Map.entry(LongSupplier.class, (LongSupplier) () -> 0),
            Map.entry(InputStream.class, new ByteArrayInputStream(new byte[0])),
            Map.entry(Path.class, Path.of("keyring.json")),
            Map.entry(DataSource.class, test.dataSource()),
            Map.entry(CredentialDatabase.class, database),
            Map.entry(KeyringFile.class, new KeyringFile(Path.of("keyring.json"), false)),
            Map.entry(SchemaScripts.class, scripts()),
            Map.entry(LeaseSettings.class, lease),
            Map.entry(Keyring.class, keyring),
            Map.entry(SecretBytes.class, SecretBytes.random(32, RANDOM)),
            Map.entry(CellAddress.class, address()),
            Map.entry(RowValues.class, new RowValues("t")));

    Stream<Arguments> parameters() {
        return NullArguments.parameters(called)
                .filter(arguments -> !isUnsupported((Executable) arguments.get()[0]));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("parameters")
    void callWhenAnArgumentIsNullThenItIsNamed(Executable executable, Parameter parameter, Supplier<Object> instance) {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> NullArguments.call(executable, parameter, instance, samples))
                .withMessageContaining("must not be null");
    }

    private static boolean isUnsupported(Executable executable) {
        return executable.getName().equals("getConnection");
    }

    private static CellAddress address() {
        return new CellAddress("table", "column", "namespace", "id");
    }

    private static SchemaScripts scripts() {
        return new SchemaScripts("", "history", Map.of());
    }
}
