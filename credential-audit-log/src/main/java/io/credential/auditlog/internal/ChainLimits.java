package io.credential.auditlog.internal;

/** Bounds of the chains. */
public final class ChainLimits {

    public static final int MAX_CHAINS = 256;
    public static final long MAX_SEQUENCE = 999_999_999_999_999_999L;

    private ChainLimits() {}
}
