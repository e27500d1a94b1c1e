package io.credential.spring.leak.internal;

/** Thrown if the public keys are not known at the moment; a later attempt may succeed. */
public final class KeysUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    KeysUnavailableException(String message) {
        super(message);
    }
}
