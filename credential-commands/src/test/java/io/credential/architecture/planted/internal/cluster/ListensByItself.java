package io.credential.architecture.planted.internal.cluster;

import org.postgresql.ds.PGSimpleDataSource;

/** Breaks: the PostgreSQL driver is used by storage and notifications only. */
public final class ListensByItself {

    public Object connections() {
        return new PGSimpleDataSource();
    }
}
