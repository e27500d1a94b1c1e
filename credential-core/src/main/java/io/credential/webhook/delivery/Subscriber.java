package io.credential.webhook.delivery;

/**
 * Where a delivery goes, as it was stored when it was claimed.
 *
 * @param secretCell the sealed secret
 */
record Subscriber(String url, String secretCell) {

    /** Neither: both may hold a secret. */
    @Override
    public String toString() {
        return "Subscriber";
    }
}
