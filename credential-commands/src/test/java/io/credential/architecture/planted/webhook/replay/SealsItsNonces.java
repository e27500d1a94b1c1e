package io.credential.architecture.planted.webhook.replay;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: nonces are stored, and nothing else. */
public final class SealsItsNonces {

    public Object seal() {
        return new StoresItsCells();
    }
}
