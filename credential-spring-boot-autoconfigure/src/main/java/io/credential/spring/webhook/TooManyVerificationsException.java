package io.credential.spring.webhook;

/** More signatures are to be verified than the processors can do. Whoever sends can cause it at will. */
final class TooManyVerificationsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TooManyVerificationsException(String why) {
        super("Too many signatures are to be verified at once: " + why);
    }
}
