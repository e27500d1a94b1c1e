package io.credential.apikey;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** A place in a listing that goes from new to old, and its opaque text form. */
record ListPosition(long createdAt, String id) {

    private static final int MAX_CURSOR_LENGTH = 128;
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.([0-9a-f]{1,64})");

    /** Before every key. */
    static final ListPosition START = new ListPosition(Long.MAX_VALUE, "");

    String cursor() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((createdAt + "." + id).getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * @throws ApiKeyException {@code api-key/bad-opt} when the cursor is not one of {@link #cursor()}
     */
    static ListPosition of(@Nullable String cursor) {
        if (cursor == null) {
            return START;
        }
        if (cursor.length() <= MAX_CURSOR_LENGTH) {
            Matcher form = FORM.matcher(decoded(cursor));
            if (form.matches()) {
                return new ListPosition(Long.parseLong(form.group(1)), form.group(2));
            }
        }
        throw new ApiKeyException(
                ApiKeyErrorCode.BAD_OPT, "cursor must be the nextCursor of an earlier page of the same listing");
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
