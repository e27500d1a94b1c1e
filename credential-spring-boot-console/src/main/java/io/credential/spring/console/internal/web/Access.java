package io.credential.spring.console.internal.web;

/** What an operator may do. Each requires the authority in a property. */
public enum Access {
    /** {@code credential.console.authorities.view}. */
    VIEW,
    /** {@code credential.console.authorities.payloads}. */
    PAYLOADS,
    /** {@code credential.console.authorities.operate}. */
    OPERATE,
    /** {@code credential.console.authorities.keys}. */
    KEYS,
    /** {@code credential.console.authorities.admin}. */
    ADMIN
}
