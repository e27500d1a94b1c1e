package io.credential.architecture.planted.seal;

import io.credential.architecture.planted.storage.KnowsApiKeys;

/** Breaks: seal knows no storage. */
public final class StoresItsCells {

    public Object store() {
        return new KnowsApiKeys();
    }
}
