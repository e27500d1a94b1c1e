package io.credential.architecture.planted.keyring;

import io.credential.architecture.planted.webhook.signature.key.SeesSignatures;

/** Breaks: the keyring knows nothing of what its keys seal, and only signatures use the keys of signatures. */
public final class SignsWebhooks {

    public Object keys() {
        return new SeesSignatures();
    }
}
