package io.credential.storage.internal;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class NamedStatementsTests {

    @Test
    void textWhenParametersDifferThenIsBuiltOnce() {
        NamedStatements statements = new NamedStatements(new JdbcTemplate());
        ParsedSql parsed = NamedParameterUtils.parseSqlStatement("SELECT :first || :second");

        assertThat(text(statements, parsed, Map.of("first", "a", "second", "b")))
                .isEqualTo("SELECT ? || ?")
                .isSameAs(text(statements, parsed, Map.of("first", "c", "second", "d")));
    }

    @Test
    void listThenHasAnyNumberOfElements() throws Exception {
        try (SingleConnectionDataSource database = new SingleConnectionDataSource("jdbc:sqlite::memory:", true)) {
            NamedStatements statements = new NamedStatements(new JdbcTemplate(database));

            assertThat(List.of(List.of(1), List.of(1, 2), List.of(1, 2, 3)))
                    .map(numbers -> statements.queryForObject(
                            "SELECT 2 IN (:numbers)", Map.of("numbers", numbers), Boolean.class))
                    .containsExactly(false, true, true);
        }
    }

    private static String text(NamedStatements statements, ParsedSql parsed, Map<String, ?> parameters) {
        return statements
                .getPreparedStatementCreatorFactory(parsed, new MapSqlParameterSource(parameters))
                .getSql();
    }
}
