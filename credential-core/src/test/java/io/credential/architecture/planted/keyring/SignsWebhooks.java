package io.credential.architecture.planted.keyring;

import io.credential.architecture.planted.webhook.signature.StoresItsSignatures;

/** Breaks: the keyring knows nothing of what its keys seal. */
public final class SignsWebhooks {

    public Object signatures() {
        return new StoresItsSignatures();
    }
}
