package io.credential.webhook.signature.scheme;

/** How long headers may be, in characters. */
final class Limits {

    /** Of a header with one signature. */
    static final int SIGNATURE = 256;

    /** Of a header with several. */
    static final int SIGNATURES = 4096;

    static final int TIMESTAMP = 32;

    /** Of an id, or the type of an event. */
    static final int NAME = 256;

    private Limits() {}
}
