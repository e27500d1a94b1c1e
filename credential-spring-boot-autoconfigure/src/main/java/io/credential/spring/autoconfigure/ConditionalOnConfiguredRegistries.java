package io.credential.spring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when {@code credential.api-keys.registries} names a registry.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(ConfiguredRegistriesCondition.class)
public @interface ConditionalOnConfiguredRegistries {

    /** Whether there must be exactly one. */
    boolean exactlyOne() default false;
}
