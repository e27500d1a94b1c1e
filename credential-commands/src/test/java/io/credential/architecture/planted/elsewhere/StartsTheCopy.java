package io.credential.architecture.planted.elsewhere;

import io.credential.architecture.planted.copy.ElectsALeader;

/** Breaks: nothing uses the copy. */
public final class StartsTheCopy {

    public Object start() {
        return new ElectsALeader();
    }
}
