package io.credential.sample;

import java.nio.file.Path;
import java.util.Map;

/** Sending from a local SQLite file. */
class SqliteDispatchIT extends DispatchContract {

    @Override
    Map<String, String> database(Path directory) {
        return Map.of(
                "credential.storage.path", directory.resolve("credential.db").toString());
    }
}
