package io.credential.benchmarks.apikey;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The least that any verify must do: read the row by plain JDBC. */
final class BareSelect {

    private static final String SELECT = """
            select namespace, id, prefix, owner_id_hash, owner_id, scopes, metadata, details, secret_hash, \
            secondary_secret_hash, secondary_expires_at, created_at, expires_at, disabled_at, revoked_at, last_used_at, \
            row_mac, version
            from _credential_api_keys where namespace = ? and id = ?""";

    private static final int COLUMNS = 17;

    private final DataSource dataSource;

    BareSelect(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void run(String namespace, String id) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT)) {
            statement.setString(1, namespace);
            statement.setString(2, id);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalStateException("No such row");
                }
                for (int column = 1; column <= COLUMNS; column++) {
                    row.getString(column);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
