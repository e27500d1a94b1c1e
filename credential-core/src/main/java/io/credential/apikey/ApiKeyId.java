package io.credential.apikey;

import org.jspecify.annotations.Nullable;

/** The form of a key's id; a text of another form names no key, and the database need not be asked. */
final class ApiKeyId {

    private static final int MAX_HEX_DIGITS = 64;

    private ApiKeyId() {}

    static boolean isWellFormed(@Nullable String id) {
        if (id == null || id.isEmpty() || id.length() > MAX_HEX_DIGITS) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) {
                return false;
            }
        }
        return true;
    }
}
