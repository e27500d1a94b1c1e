package io.credential.spring.data;

import java.util.Collection;
import java.util.List;

import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.relational.core.dialect.AbstractDialect;
import org.springframework.data.relational.core.dialect.LimitClause;
import org.springframework.data.relational.core.dialect.LockClause;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.data.relational.core.sql.IdentifierProcessing.LetterCasing;
import org.springframework.data.relational.core.sql.IdentifierProcessing.Quoting;
import org.springframework.data.relational.core.sql.LockOptions;

/** SQLite for Spring Data JDBC. Immutable and thread-safe. */
final class SqliteDialect extends AbstractDialect implements JdbcDialect {

    static final SqliteDialect INSTANCE = new SqliteDialect();

    private static final IdentifierProcessing IDENTIFIERS =
            IdentifierProcessing.create(new Quoting("\""), LetterCasing.LOWER_CASE);

    private SqliteDialect() {}

    @Override
    public LimitClause limit() {
        return Limit.INSTANCE;
    }

    @Override
    public LockClause lock() {
        return NoLock.INSTANCE;
    }

    @Override
    public IdentifierProcessing getIdentifierProcessing() {
        return IDENTIFIERS;
    }

    /** Returns false, because SQLite has no lateral joins. */
    @Override
    public boolean supportsSingleQueryLoading() {
        return false;
    }

    @Override
    public Collection<Object> getConverters() {
        return List.of(NumberToBoolean.INSTANCE);
    }

    /** SQLite has no booleans, and the driver reads them as numbers. */
    @ReadingConverter
    enum NumberToBoolean implements Converter<Integer, Boolean> {
        INSTANCE;

        @Override
        public Boolean convert(Integer number) {
            return number != 0;
        }
    }

    /** Locks no rows: a transaction that may write is the only one from its start. */
    private enum NoLock implements LockClause {
        INSTANCE;

        @Override
        public String getLock(LockOptions options) {
            return "";
        }

        @Override
        public LockClause.Position getClausePosition() {
            return LockClause.Position.AFTER_ORDER_BY;
        }
    }

    private enum Limit implements LimitClause {
        INSTANCE;

        @Override
        public String getLimit(long limit) {
            return "LIMIT " + limit;
        }

        /** SQLite accepts an offset only after a limit; a negative limit means unlimited. */
        @Override
        public String getOffset(long offset) {
            return "LIMIT -1 OFFSET " + offset;
        }

        @Override
        public String getLimitOffset(long limit, long offset) {
            return "LIMIT " + limit + " OFFSET " + offset;
        }

        @Override
        public LimitClause.Position getClausePosition() {
            return LimitClause.Position.AFTER_ORDER_BY;
        }
    }
}
