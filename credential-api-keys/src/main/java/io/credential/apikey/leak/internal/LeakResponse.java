package io.credential.apikey.leak.internal;

/** What happens to a key whose secret was found in public. */
public enum LeakResponse {
    /** It is revoked. */
    REVOKE("revoke"),
    /** It is disabled until it is enabled again. */
    DISABLE("disable"),
    /** It stays as it is; owner and operators are told. */
    REPORT("report");

    private final String text;

    LeakResponse(String text) {
        this.text = text;
    }

    /** Returns the word for audit events. */
    public String text() {
        return text;
    }
}
