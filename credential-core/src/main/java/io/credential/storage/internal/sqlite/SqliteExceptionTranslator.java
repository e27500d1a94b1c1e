package io.credential.storage.internal.sqlite;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.support.AbstractFallbackSQLExceptionTranslator;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Translates SQLite's result codes into Spring's exceptions; the driver gives no SQL state. Thread-safe. */
final class SqliteExceptionTranslator extends AbstractFallbackSQLExceptionTranslator {

    /** The lower byte of an extended result code is the plain one. */
    private static final int PLAIN_CODE = 0xFF;

    SqliteExceptionTranslator() {
        setFallbackTranslator(new SQLExceptionSubclassTranslator());
    }

    @Override
    protected @Nullable DataAccessException doTranslate(String task, @Nullable String sql, SQLException failure) {
        if (!(failure instanceof SQLiteException sqlite)) {
            return null;
        }
        String message = buildMessage(task, sql, failure);
        SQLiteErrorCode code = sqlite.getResultCode();
        if (code == SQLiteErrorCode.SQLITE_CONSTRAINT_UNIQUE || code == SQLiteErrorCode.SQLITE_CONSTRAINT_PRIMARYKEY) {
            return new DuplicateKeyException(message, failure);
        }
        return switch (SQLiteErrorCode.getErrorCode(code.code & PLAIN_CODE)) {
            case SQLITE_CONSTRAINT -> new DataIntegrityViolationException(message, failure);
            case SQLITE_BUSY, SQLITE_LOCKED -> new CannotAcquireLockException(message, failure);
            case SQLITE_FULL,
                    SQLITE_IOERR,
                    SQLITE_CANTOPEN,
                    SQLITE_CORRUPT,
                    SQLITE_NOTADB,
                    SQLITE_READONLY,
                    SQLITE_PERM,
                    SQLITE_NOMEM -> new DataAccessResourceFailureException(message, failure);
            default -> null;
        };
    }
}
