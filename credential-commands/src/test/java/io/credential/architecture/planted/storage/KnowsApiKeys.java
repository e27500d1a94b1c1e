package io.credential.architecture.planted.storage;

import io.credential.architecture.planted.apikey.ComparesEarly;

/** Breaks: storage knows nothing of what is stored. */
public final class KnowsApiKeys {

    public Object key() {
        return new ComparesEarly();
    }
}
