package io.credential.architecture.planted.webhook.signature.key;

import io.credential.architecture.planted.webhook.signature.StoresItsSignatures;

/** Breaks: keys do not look back at signatures. */
public final class SeesSignatures {

    public Object signatures() {
        return new StoresItsSignatures();
    }
}
