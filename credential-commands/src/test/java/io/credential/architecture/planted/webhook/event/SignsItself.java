package io.credential.architecture.planted.webhook.event;

import io.credential.architecture.planted.webhook.signature.StoresItsSignatures;

/** Breaks: typed events stand alone. */
public final class SignsItself {

    public Object sign() {
        return new StoresItsSignatures();
    }
}
