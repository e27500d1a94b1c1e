package io.credential.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@link java.time.InstantSource} that Credential uses as its clock. Without it, the system clock is used: an
 * unmarked clock of the application does not decide when keys and signatures expire.
 *
 * @since 0.1.0
 */
@Qualifier @Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface CredentialClock {}
