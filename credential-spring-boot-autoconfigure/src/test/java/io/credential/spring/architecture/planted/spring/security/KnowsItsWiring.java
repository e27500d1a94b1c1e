package io.credential.spring.architecture.planted.spring.security;

import io.credential.spring.architecture.planted.autoconfigure.OpenAutoConfiguration;

/** Breaks: features do not know their wiring. */
public final class KnowsItsWiring {

    public Object wiring() {
        return new OpenAutoConfiguration();
    }
}
