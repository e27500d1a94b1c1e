package io.credential.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when a feature that stores something is there. Without one, no database is opened or even looked for. The
 * webhook dispatcher is there by default, and by default only makes use of a database: what is missing for it must not
 * stop an application that did not ask for it.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(CredentialStorageCondition.class)
public @interface ConditionalOnCredentialStorage {

    /** Whether only features count that seal what they store, and so need the keyring. */
    boolean sealed() default false;

    /** Whether it must have been asked for: by a feature that is configured, or by saying where things are kept. */
    boolean required() default false;
}
