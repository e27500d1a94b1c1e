package io.credential.architecture.planted.apikey.internal.cache;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: a cache knows keys and values only. */
public final class ReadsItsValues {

    public Object value() {
        return new StoresItsCells();
    }
}
