package io.credential.spring.console.internal.web;

/** What an operator may do. Each stands for an authority. */
public enum Access {
    /** See everything but payloads. */
    VIEW,
    /** See payloads of events, and complete URLs of endpoints. */
    PAYLOADS,
    /** Retry and replay deliveries; create, edit, pause and test endpoints. */
    OPERATE,
    /** Issue and change API keys. */
    KEYS,
    /** Remove, purge, erase and rotate secrets of endpoints; verify the audit log. */
    ADMIN
}
