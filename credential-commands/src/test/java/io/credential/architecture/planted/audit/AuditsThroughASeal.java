package io.credential.architecture.planted.audit;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: audit stands alone. */
public final class AuditsThroughASeal {

    public Object seal() {
        return new StoresItsCells();
    }
}
