package io.credential.storage.internal.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SqliteStatementReuseTests {

    private static final String INSERT = "insert into item (id, name) values (?, ?)";
    private static final String SELECT = "select id, name from item where id = ?";

    @TempDir
    private Path directory;

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = new SqliteDataSource(directory.resolve("test.db"), Duration.ofSeconds(1)).getConnection();
        try (var statement = connection.createStatement()) {
            statement.execute("create table item (id integer primary key, name text)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void statementWhenClosedThenHandedOutAgain() throws SQLException {
        PreparedStatement first = connection.prepareStatement(SELECT);
        first.close();
        assertThat(first.isClosed()).isTrue();

        PreparedStatement second = connection.prepareStatement(SELECT);

        assertThat(second).isSameAs(first);
        assertThat(second.isClosed()).isFalse();
    }

    @Test
    void statementWhenInUseThenNotHandedOut() throws SQLException {
        PreparedStatement first = connection.prepareStatement(SELECT);
        PreparedStatement second = connection.prepareStatement(SELECT);

        assertThat(second).isNotSameAs(first);
        first.close();
        assertThatNoException().isThrownBy(second::close);
        assertThat(connection.prepareStatement(SELECT)).isSameAs(second);
    }

    @Test
    void statementWhenClosedTwiceThenHandedOutOnce() throws SQLException {
        PreparedStatement first = connection.prepareStatement(SELECT);
        first.close();
        first.close();

        assertThat(connection.prepareStatement(SELECT)).isNotSameAs(connection.prepareStatement(SELECT));
    }

    @Test
    void statementWhenReusedThenRemembersNoParameter() throws SQLException {
        insert(1, "one");
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setInt(1, 1);
            assertThat(names(select)).containsExactly("one");
        }

        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            assertThat(names(select)).isEmpty();
        }
    }

    @Test
    void statementWhenClosedWithOpenResultsThenStartsAfresh() throws SQLException {
        insert(1, "one");
        insert(2, "two");
        String all = "select id, name from item order by id";
        PreparedStatement interrupted = connection.prepareStatement(all);
        ResultSet rows = interrupted.executeQuery();
        assertThat(rows.next()).isTrue();
        interrupted.close();

        try (PreparedStatement select = connection.prepareStatement(all)) {
            assertThat(names(select)).containsExactly("one", "two");
        }
    }

    @Test
    void batchWhenStatementIsReusedThenEmpty() throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setInt(1, 1);
            insert.setString(2, "one");
            insert.addBatch();
        }

        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            assertThat(insert.executeBatch()).isEmpty();
            insert.setInt(1, 2);
            insert.setString(2, "two");
            insert.addBatch();
            assertThat(insert.executeBatch()).containsExactly(1);
        }
    }

    @Test
    void statementWhenItFailedThenUsableAgain() throws SQLException {
        insert(1, "one");
        assertThatThrownBy(() -> insert(1, "again")).isInstanceOf(SQLException.class);

        assertThatNoException().isThrownBy(() -> insert(2, "two"));
    }

    @Test
    void statementWhenRowsAreLimitedThenNotHandedOutAgain() throws SQLException {
        PreparedStatement limited = connection.prepareStatement(SELECT);
        limited.setMaxRows(1);
        limited.close();

        assertThat(connection.prepareStatement(SELECT)).isNotSameAs(limited);
    }

    @Test
    void starWhenColumnIsAddedLaterThenSeesIt() throws SQLException {
        String star = "select * from item";
        try (PreparedStatement select = connection.prepareStatement(star);
                ResultSet rows = select.executeQuery()) {
            assertThat(rows.getMetaData().getColumnCount()).isEqualTo(2);
        }
        try (var statement = connection.createStatement()) {
            statement.execute("alter table item add column note text");
        }

        try (PreparedStatement select = connection.prepareStatement(star);
                ResultSet rows = select.executeQuery()) {
            assertThat(rows.getMetaData().getColumnCount()).isEqualTo(3);
        }
    }

    @Test
    void pragmaThenIsCompiledEachTime() throws SQLException {
        PreparedStatement pragma = connection.prepareStatement("pragma user_version");
        pragma.close();

        assertThat(connection.prepareStatement("pragma user_version")).isNotSameAs(pragma);
    }

    @Test
    void statementsWhenTooManyThenOnlyTheLatestAreKept() throws SQLException {
        PreparedStatement oldest = connection.prepareStatement("select 0");
        oldest.close();
        PreparedStatement latest = oldest;
        for (int i = 1; i <= 64; i++) {
            latest = connection.prepareStatement("select " + i);
            latest.close();
        }

        assertThat(connection.prepareStatement("select 0")).isNotSameAs(oldest);
        assertThat(connection.prepareStatement("select 64")).isSameAs(latest);
    }

    private void insert(int id, String name) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setInt(1, id);
            insert.setString(2, name);
            insert.executeUpdate();
        }
    }

    private static List<String> names(PreparedStatement select) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                names.add(rows.getString("name"));
            }
        }
        return names;
    }
}
