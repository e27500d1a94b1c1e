package io.credential.benchmarks.crypto;

import java.nio.charset.StandardCharsets;

/** Makes JSON of a given length. */
final class Payload {

    private static final String START = "{\"type\":\"order.created\",\"item\":\"";
    private static final String END = "\"}";

    private Payload() {}

    static String text(int length) {
        return START + "x".repeat(length - START.length() - END.length()) + END;
    }

    static byte[] bytes(int length) {
        return text(length).getBytes(StandardCharsets.US_ASCII);
    }
}
