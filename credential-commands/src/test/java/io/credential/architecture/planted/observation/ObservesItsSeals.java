package io.credential.architecture.planted.observation;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: observation stands alone. */
public final class ObservesItsSeals {

    public Object seal() {
        return new StoresItsCells();
    }
}
