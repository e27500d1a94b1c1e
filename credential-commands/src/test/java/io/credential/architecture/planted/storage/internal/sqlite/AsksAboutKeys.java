package io.credential.architecture.planted.storage.internal.sqlite;

import io.credential.architecture.planted.storage.KnowsApiKeys;

/** Breaks: what wraps the SQLite driver does not look back at storage. */
public final class AsksAboutKeys {

    public Object keys() {
        return new KnowsApiKeys();
    }
}
