package io.credential.spring.console.internal.delivery;

/**
 * A payload, as far as it is shown.
 *
 * @param text its first bytes
 * @param shown how many bytes these are
 * @param length how many bytes it has
 */
public record Payload(String deliveryId, String text, int shown, int length) {

    /** Does not print the text. */
    @Override
    public String toString() {
        return "Payload[" + deliveryId + "]";
    }
}
