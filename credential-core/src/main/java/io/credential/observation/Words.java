package io.credential.observation;

import org.jspecify.annotations.Nullable;

/** Values of low-cardinality keys that several observations share. */
final class Words {

    static final String NONE = "none";

    private Words() {}

    /** Receivers choose the status: anything but a class of RFC 9110 is {@code other}. */
    static String statusClass(@Nullable Integer status) {
        if (status == null) {
            return NONE;
        }
        return status >= 100 && status < 600 ? status / 100 + "xx" : "other";
    }
}
