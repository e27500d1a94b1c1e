package io.credential.storage.internal.sqlite;

import java.sql.SQLException;
import java.sql.SQLTransientException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.TransientDataAccessException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import static org.assertj.core.api.Assertions.assertThat;

class SqliteExceptionTranslatorTests {

    private final SqliteExceptionTranslator translator = new SqliteExceptionTranslator();

    @ParameterizedTest
    @CsvSource({"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
    void translateWhenKeyIsRepeatedThenDuplicateKey(SQLiteErrorCode code) {
        assertThat(translated(code)).isInstanceOf(DuplicateKeyException.class);
    }

    @ParameterizedTest
    @CsvSource({"SQLITE_CONSTRAINT_NOTNULL", "SQLITE_CONSTRAINT_FOREIGNKEY", "SQLITE_CONSTRAINT_CHECK"})
    void translateWhenOtherConstraintThenIntegrityViolation(SQLiteErrorCode code) {
        assertThat(translated(code)).isExactlyInstanceOf(DataIntegrityViolationException.class);
    }

    @ParameterizedTest
    @CsvSource({"SQLITE_BUSY", "SQLITE_BUSY_SNAPSHOT", "SQLITE_LOCKED"})
    void translateWhenLockIsHeldThenCannotAcquireLock(SQLiteErrorCode code) {
        assertThat(translated(code)).isInstanceOf(CannotAcquireLockException.class);
    }

    @ParameterizedTest
    @CsvSource({"SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_CANTOPEN", "SQLITE_CORRUPT", "SQLITE_READONLY"})
    void translateWhenFileIsUnusableThenResourceFailure(SQLiteErrorCode code) {
        assertThat(translated(code)).isInstanceOf(DataAccessResourceFailureException.class);
    }

    @Test
    void translateWhenNotSqliteErrorThenUsesJdbcClass() {
        assertThat(translated(new SQLTransientException("write lock not free", "40001")))
                .isInstanceOf(TransientDataAccessException.class);
    }

    private @Nullable DataAccessException translated(SQLiteErrorCode code) {
        return translated(new SQLiteException("test", code));
    }

    private @Nullable DataAccessException translated(SQLException failure) {
        return translator.translate("test", "select 1", failure);
    }
}
