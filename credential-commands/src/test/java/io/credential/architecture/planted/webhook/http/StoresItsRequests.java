package io.credential.architecture.planted.webhook.http;

import io.credential.architecture.planted.storage.KnowsApiKeys;

/** Breaks: the transport knows no database. */
public final class StoresItsRequests {

    public Object store() {
        return new KnowsApiKeys();
    }
}
