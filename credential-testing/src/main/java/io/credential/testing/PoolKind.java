package io.credential.testing;

import java.util.Locale;

import com.zaxxer.hikari.HikariConfig;

/** How a pool over PostgreSQL begins transactions. */
public enum PoolKind {
    STANDARD,
    REPEATABLE_READ,
    SERIALIZABLE,
    WITHOUT_AUTO_COMMIT;

    /** The kind of every pool for which a test chooses none: {@code -Dcredential.test.pool}. */
    static PoolKind ofThisRun() {
        return valueOf(System.getProperty("credential.test.pool", STANDARD.name())
                .replace('-', '_')
                .toUpperCase(Locale.ROOT));
    }

    void configure(HikariConfig config) {
        switch (this) {
            case STANDARD -> {}
            case REPEATABLE_READ, SERIALIZABLE -> config.setTransactionIsolation("TRANSACTION_" + name());
            case WITHOUT_AUTO_COMMIT -> config.setAutoCommit(false);
        }
    }
}
