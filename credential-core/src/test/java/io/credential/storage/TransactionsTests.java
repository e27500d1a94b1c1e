package io.credential.storage;

import org.junit.jupiter.api.Test;

import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@BothDatabases
class TransactionsTests {

    private final CredentialDatabase database;

    TransactionsTests(TestDatabase testDatabase) {
        this.database = testDatabase.database();
    }

    @Test
    void inTransactionWhenWorkThrowsThenNothingIsStored() {
        assertThatThrownBy(() -> database.inTransaction(() -> {
                    insert("rolled-back");
                    throw new IllegalStateException("expected");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(count("rolled-back")).isZero();
    }

    private void insert(String keyId) {
        database.jdbc()
                .sql("insert into _credential_key_checks (key_id, check_value) values (:keyId, 'x')")
                .param("keyId", keyId)
                .update();
    }

    private int count(String keyId) {
        return database.jdbc()
                .sql("select count(*) from _credential_key_checks where key_id = :keyId")
                .param("keyId", keyId)
                .query(Integer.class)
                .single();
    }
}
