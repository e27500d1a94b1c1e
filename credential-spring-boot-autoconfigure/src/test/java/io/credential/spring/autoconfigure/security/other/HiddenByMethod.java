package io.credential.spring.autoconfigure.security.other;

import io.credential.spring.security.RequiresScope;

/** Its method can be called in this package, where no subclass of another one overrides it. */
public class HiddenByMethod {

    @RequiresScope("admin")
    String hidden() {
        return "secret";
    }
}
