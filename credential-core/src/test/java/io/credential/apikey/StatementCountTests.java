package io.credential.apikey;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.credential.seal.Keyring;
import io.credential.storage.CredentialDatabase;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** How many statements an operation costs. */
@BothDatabases
class StatementCountTests {

    private final RecordingDataSource recording;
    private final RegistryFixture fixture;

    StatementCountTests(TestDatabase database) {
        database.database();
        this.recording = new RecordingDataSource(database.dataSource());
        this.fixture = new RegistryFixture(
                CredentialDatabase.of(recording),
                Keyring.generate(RegistryFixture.RANDOM),
                RegistryFixture.newNamespace(),
                options -> options,
                builder -> builder);
    }

    @Test
    void verifyRunsOneStatementAndNoWrite() {
        IssuedApiKey issued = fixture.issue();
        recording.statements.clear();
        recording.transactions.clear();

        assertThat(fixture.registry.verify(issued.key())).isPresent();

        assertThat(recording.statements)
                .singleElement()
                .satisfies(sql -> assertThat(sql).startsWith("SELECT"));
        assertThat(recording.transactions).isEmpty();
    }

    @Test
    void aRejectionCostsTheSameStatementAsASuccess() {
        fixture.registry.verify("bk_" + fixture.namespace + "_0123456789abcdef_" + "00".repeat(16));

        assertThat(recording.statements).hasSize(1);
    }

    @Test
    void aMalformedOrForeignTokenCostsNone() {
        fixture.registry.verify("bk_other_0123456789abcdef_" + "00".repeat(16));
        fixture.registry.verify("nonsense");
        fixture.registry.verify("bk_" + fixture.namespace + "_" + "ab".repeat(33) + "_" + "00".repeat(16));

        assertThat(recording.statements).isEmpty();
    }

    @Test
    void issueRunsOneStatementAndRotateTwo() {
        IssuedApiKey issued = fixture.issue();
        assertThat(recording.statements).singleElement().asString().startsWith("INSERT");
        recording.statements.clear();

        fixture.registry.rotate(issued.id(), Rotation.graceful());
        assertThat(recording.statements)
                .satisfiesExactly(
                        sql -> assertThat(sql).startsWith("SELECT"),
                        sql -> assertThat(sql).startsWith("UPDATE"));
    }

    /** Writes down each statement when it is prepared, and each change of auto-commit that begins a transaction. */
    private static final class RecordingDataSource extends DelegatingDataSource {

        final List<String> statements = new CopyOnWriteArrayList<>();
        final List<String> transactions = new CopyOnWriteArrayList<>();

        RecordingDataSource(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "prepareStatement" -> statements.add((String) arguments[0]);
                            case "createStatement" -> statements.add("a statement that was not prepared");
                            case "setAutoCommit" -> transactions.add("auto-commit " + arguments[0]);
                            default -> {}
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
