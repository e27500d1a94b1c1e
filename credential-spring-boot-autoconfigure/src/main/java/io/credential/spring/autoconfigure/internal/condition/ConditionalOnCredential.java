package io.credential.spring.autoconfigure.internal.condition;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Matches if the configuration meets all requirements. Values are read as the properties read them, for example {@code
 * on} as true. Invalid values are reported when the properties are bound, not here.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(CredentialCondition.class)
public @interface ConditionalOnCredential {

    /** What must be configured. */
    Requirement[] value();

    /**
     * What can be required of the configuration. Without a feature that stores data, no database is opened.
     */
    enum Requirement {
        /** A registry, a signer, an incoming webhook, the webhook dispatcher or the audit log. */
        ANY_FEATURE,
        /** A single node: the default mode. */
        SINGLE_NODE,
        /** Several nodes. */
        CLUSTER,
        /** The webhook dispatcher, which is enabled by default if its library is on the class path. */
        DISPATCHER,
        /** Operational events of the webhook dispatcher. */
        OPERATIONAL_EVENTS,
        /** The audit log. */
        AUDIT_LOG,
        /** A registry of API keys. */
        REGISTRIES,
        /** A registry that tells owners about their keys. */
        OWNER_EVENTS,
        /** Reports of leaked keys. */
        LEAK_REPORTS,
        /** Exactly one registry of API keys. */
        SINGLE_REGISTRY,
        /** A registry of API keys, whose usage is counted. */
        USAGE,
        /** An incoming webhook. */
        INBOUND_WEBHOOKS,
        /** An incoming webhook whose nonces are stored in the database. */
        JDBC_NONCES,
        /** The inbox of incoming webhooks, which a sender whose webhooks are stored first also needs. */
        INBOX,
        /** The operator's console. */
        CONSOLE,
        /** A feature that stores something. */
        STORAGE,
        /** A feature that stores sealed data, and so needs the keyring. */
        SEALED_STORAGE;

        /** Returns whether the configuration meets this requirement. */
        public boolean isMet(Environment environment) {
            return CredentialCondition.outcome(this, new ConfiguredFeatures(environment))
                    .isMatch();
        }
    }
}
