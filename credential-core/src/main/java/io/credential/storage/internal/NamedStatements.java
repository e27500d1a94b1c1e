package io.credential.storage.internal;

import java.util.stream.Stream;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementCreatorFactory;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;
import org.springframework.util.ConcurrentLruCache;

/**
 * Remembers the text with {@code ?} in place of named parameters, which Spring builds again for each execution: for a long
 * statement, these copies are a large part of what a caller allocates.
 */
final class NamedStatements extends NamedParameterJdbcTemplate {

    private final ConcurrentLruCache<ParsedSql, String> texts = new ConcurrentLruCache<>(
            DEFAULT_CACHE_LIMIT, parsed -> NamedParameterUtils.substituteNamedParameters(parsed, null));

    NamedStatements(JdbcOperations operations) {
        super(operations);
    }

    /** A list has one {@code ?} for each element, so such a text is not always the same. */
    @Override
    protected PreparedStatementCreatorFactory getPreparedStatementCreatorFactory(
            ParsedSql parsed, SqlParameterSource parameters) {
        String[] names = parameters.getParameterNames();
        if (names == null || Stream.of(names).anyMatch(name -> parameters.getValue(name) instanceof Iterable)) {
            return super.getPreparedStatementCreatorFactory(parsed, parameters);
        }
        return new PreparedStatementCreatorFactory(
                texts.get(parsed), NamedParameterUtils.buildSqlParameterList(parsed, parameters));
    }
}
