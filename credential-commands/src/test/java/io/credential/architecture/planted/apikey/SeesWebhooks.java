package io.credential.architecture.planted.apikey;

import io.credential.architecture.planted.webhook.SeesApiKeys;

/** Breaks: API keys do not see webhooks. */
public final class SeesWebhooks {

    public Object webhook() {
        return new SeesApiKeys();
    }
}
