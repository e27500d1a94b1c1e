package io.credential.spring.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets only callers in who hold all of these scopes: the authorities {@code SCOPE_<scope>} of an API key or of any other
 * mechanism. What stands on a class, its superclasses and interfaces and on a method adds up. May be put on an
 * annotation of one's own.
 *
 * <p>Enforced on every bean without {@code @EnableMethodSecurity}. It works through a proxy: the application does not
 * start with the annotation on a final class, on a final, private or static method, or on a bean that is created too
 * early to get a proxy. Calls that an object makes to itself are not checked. Of controllers it is checked before the
 * arguments are made, so that who lacks a scope cannot have a body read.
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface RequiresScope {

    /** The scopes, at least one; all are needed. */
    String[] value();
}
