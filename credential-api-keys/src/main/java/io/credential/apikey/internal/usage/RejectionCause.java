package io.credential.apikey.internal.usage;

/** Why a request with a valid key was rejected. */
public enum RejectionCause {
    /** The key has reached its rate limit. */
    RATE,
    /** The key lacks a scope. */
    SCOPE,
    /** The request comes from a network that may not use the key. */
    NETWORK,
    /** The key has reached its quota. */
    QUOTA
}
