package io.credential.architecture.planted.house;

import java.time.Instant;

/** Breaks: time is injected. */
public final class ReadsTheWallClock {

    public Instant time() {
        return Instant.now();
    }
}
