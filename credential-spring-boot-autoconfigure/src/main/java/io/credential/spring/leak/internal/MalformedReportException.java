package io.credential.spring.leak.internal;

/** Thrown for JSON that is not what is expected. The message does not contain any of it. */
final class MalformedReportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedReportException(String message) {
        super(message);
    }
}
