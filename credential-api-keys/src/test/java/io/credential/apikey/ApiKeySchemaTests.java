package io.credential.apikey;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.credential.apikey.internal.JdbcApiKeyRegistries;
import io.credential.storage.internal.CredentialDatabase;
import io.credential.testing.DatabaseKind;
import io.credential.testing.SchemaContract;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

class ApiKeySchemaTests extends SchemaContract {

    ApiKeySchemaTests() {
        super(JdbcApiKeyRegistries.SCHEMA);
    }

    /** PostgreSQL then updates it in place. */
    @ParameterizedTest
    @EnumSource
    void migrateThenLastUseOfAKeyIsInNoIndex(DatabaseKind kind) {
        try (TestDatabase test = TestDatabase.create(kind)) {
            CredentialDatabase database = test.migrate(JdbcApiKeyRegistries.SCHEMA);
            String indexes = switch (kind) {
                case POSTGRESQL -> "select indexdef from pg_indexes where tablename = '_credential_api_keys'";
                case SQLITE ->
                    "select sql from sqlite_master where type = 'index' and tbl_name = '_credential_api_keys'"
                            + " and sql is not null";
            };

            List<String> definitions = database.jdbc()
                    .sql(indexes)
                    .query((row, number) -> row.getString(1))
                    .list();

            assertThat(definitions)
                    .hasSizeGreaterThanOrEqualTo(4)
                    .noneMatch(index -> index.contains("last_used_at") || index.contains("row_mac"));
        }
    }
}
