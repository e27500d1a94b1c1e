package io.credential.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;

/** Nodes of the packaged jar, each in its own process, with one PostgreSQL database and one keyring. */
final class PackagedCluster implements AutoCloseable {

    private final Path directory;
    private final TestDatabase database = TestDatabase.create(DatabaseKind.POSTGRESQL);
    private final List<PackagedSample> nodes = new ArrayList<>();
    private final String adminKey;

    /** Creates the keyring, the tables and the admin key. */
    PackagedCluster(Path directory) {
        this.directory = directory;
        Sample.startIn(directory, Map.of("spring.datasource.url", database.jdbcUrl()))
                .close();
        this.adminKey = Snippet.read(directory.resolve("first-admin-key")).strip();
    }

    /** Starts a node of this version; the first node leads until it stops. */
    PackagedSample start(String name) {
        return added(PackagedSample.startIn(directoryOf(name), environment(name)));
    }

    /** Starts a node of this version with more files on the class path. */
    PackagedSample start(String name, Path classPath) {
        return added(PackagedSample.startIn(directoryOf(name), environment(name), classPath));
    }

    Api admin(PackagedSample node) {
        return node.api().with(adminKey);
    }

    JdbcClient jdbc() {
        return JdbcClient.create(database.dataSource());
    }

    private PackagedSample added(PackagedSample node) {
        nodes.add(node);
        return node;
    }

    private Path directoryOf(String name) {
        try {
            return Files.createDirectories(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, String> environment(String name) {
        return Map.of(
                "SPRING_DATASOURCE_URL",
                database.jdbcUrl(),
                "CREDENTIAL_MODE",
                "cluster",
                "CREDENTIAL_KEYRING_LOCATION",
                keyring(),
                "CREDENTIAL_CLUSTER_NODEID",
                name,
                "CREDENTIAL_CLUSTER_LEASEDURATION",
                "1m", // longer than any pause of the machine
                "CREDENTIAL_CLUSTER_ADVERTISEDURL",
                "https://" + name + ".example.org",
                "CREDENTIAL_APIKEYS_FAILEDATTEMPTS_LIMIT",
                "0",
                "CREDENTIAL_WEBHOOK_DISPATCHER_ALLOWINTERNALDESTINATIONS",
                "true");
    }

    private String keyring() {
        return "file:" + directory.resolve("keyring.json");
    }

    @Override
    public void close() {
        nodes.forEach(PackagedSample::close);
        database.close();
    }
}
