package io.credential.architecture.planted.internal.notification;

import io.credential.architecture.planted.seal.StoresItsCells;

/** Breaks: notifications know no feature. */
public final class PublishesItsSeals {

    public Object seal() {
        return new StoresItsCells();
    }
}
