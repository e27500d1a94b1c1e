package io.credential.spring.architecture.planted.autoconfigure;

import io.credential.spring.architecture.planted.spring.security.KnowsItsWiring;

/** Breaks: packages have no cycles. */
public class ClosesACycle {

    public KnowsItsWiring user() {
        return new KnowsItsWiring();
    }
}
