package io.credential.architecture.planted.storage;

import org.sqlite.SQLiteConfig;

/** Breaks: the SQLite driver is used in its package only. */
public final class OpensAFile {

    public Object settings() {
        return new SQLiteConfig();
    }
}
