package io.credential.architecture.planted.webhook.signature;

import io.credential.architecture.planted.storage.KnowsApiKeys;

/** Breaks: signatures know no database. */
public final class StoresItsSignatures {

    public Object store() {
        return new KnowsApiKeys();
    }
}
