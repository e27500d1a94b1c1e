package io.credential.apikey.internal;

/**
 * Scopes that stand for others, if an application enables them: {@code *} for all, and {@code orders:*} for those that begin
 * with {@code orders:}. A {@code *} elsewhere has no meaning.
 */
public final class ScopeWildcards {

    private static final String ALL = "*";
    private static final String SEGMENT = ":*";

    private ScopeWildcards() {}

    /** Returns whether a scope stands for others. */
    static boolean is(String scope) {
        return scope.equals(ALL) || scope.endsWith(SEGMENT);
    }

    /** Returns whether a scope of a key grants the wanted one. */
    public static boolean grants(String held, String wanted) {
        if (held.equals(wanted) || held.equals(ALL)) {
            return true;
        }
        String start = held.substring(0, Math.max(0, held.length() - 1));
        return held.endsWith(SEGMENT) && wanted.startsWith(start) && wanted.length() > start.length();
    }
}
