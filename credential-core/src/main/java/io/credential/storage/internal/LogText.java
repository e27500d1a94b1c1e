package io.credential.storage.internal;

import java.util.regex.Pattern;

/** Makes text from the database safe to log: writing rows must not allow anyone to forge lines of the log. */
public final class LogText {

    private static final int MAX_LENGTH = 300;
    private static final Pattern UNSAFE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private LogText() {}

    /** Returns at most the first 300 characters, with a question mark for each control character and line break. */
    public static String of(String stored) {
        String cut = stored.substring(0, Math.min(stored.length(), MAX_LENGTH));
        return UNSAFE.matcher(cut).replaceAll("?");
    }
}
