package io.credential.architecture.planted.webhook;

import io.credential.architecture.planted.apikey.SeesWebhooks;

/** Breaks: webhooks do not see API keys; closes a cycle as well. */
public final class SeesApiKeys {

    public Object apiKey() {
        return new SeesWebhooks();
    }
}
