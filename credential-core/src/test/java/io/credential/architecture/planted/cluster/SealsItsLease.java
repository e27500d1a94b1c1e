package io.credential.architecture.planted.cluster;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: cluster uses storage only. */
public final class SealsItsLease {

    public Object seal() {
        return new StoresItsCells();
    }
}
