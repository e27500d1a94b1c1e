package io.credential.sample;

import java.nio.file.Path;
import java.util.Map;

/** The hooks on a local SQLite file. */
class SqliteHookIT extends HookContract {

    @Override
    Map<String, String> database(Path directory) {
        return Map.of(
                "credential.storage.path", directory.resolve("credential.db").toString());
    }
}
