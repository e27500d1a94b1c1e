package io.credential.observation.internal;

/** Stands for a failure in spans. Its message is the name of the exception's class, such as {@code java.io.IOException}. */
final class ObservedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ObservedFailure(Throwable failure) {
        super(failure.getClass().getName(), null, false, false);
    }
}
