package io.credential.apikey.leak.internal;

import io.credential.secret.internal.TokenText;

/**
 * Finds tokens in any text, whatever registry they belong to, also percent-encoded. It needs no configuration, so that
 * it can be used before an application has read its own. What follows the id of a token counts as its secret, however
 * short it is: it may have been cut off.
 *
 * <p>Takes linear time: each part of a token is bounded in length, and read at most once per underscore.
 */
public final class TokenMask {

    /** Stands in place of a secret. */
    public static final String MASK = TokenText.MASK;

    private TokenMask() {}

    /** Returns the text with the secret of each token masked; its prefix, namespace and id remain. */
    public static String mask(String text) {
        return TokenText.mask(text);
    }

    /** Returns whether the text contains a token. */
    public static boolean isIn(String text) {
        return TokenText.containsToken(text);
    }
}
