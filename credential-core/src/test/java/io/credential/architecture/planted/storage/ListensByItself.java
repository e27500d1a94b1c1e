package io.credential.architecture.planted.storage;

import org.postgresql.ds.PGSimpleDataSource;

/** Breaks: the PostgreSQL driver is used by notifications only. */
public final class ListensByItself {

    public Object connections() {
        return new PGSimpleDataSource();
    }
}
