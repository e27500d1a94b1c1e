package io.credential.architecture.planted.tests;

import org.junit.jupiter.api.Test;

/** Breaks: names say what follows. */
public final class IsNamedLikeASentence {

    @Test
    void everythingIsFine() {}
}
