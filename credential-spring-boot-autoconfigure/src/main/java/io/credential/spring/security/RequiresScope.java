package io.credential.spring.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Requires that the caller holds all of these scopes: the authorities {@code SCOPE_<scope>} of an API key or of any other
 * mechanism. May be put on classes, interfaces, methods, and on annotations of the application.
 *
 * <p>The class of the bean decides. What is required of a class, of its superclasses and its interfaces adds up. A scope
 * that is required of a method is required of every call that ends in the same method of the bean, through whichever
 * interface or superclass the call is made and whichever class declares the method that runs.
 *
 * <p>Enforced on every bean without {@code @EnableMethodSecurity}, by a proxy. Startup fails if the proxy could not
 * enforce it: for private and static methods, for final classes and methods unless the bean is proxied by its
 * interfaces, and for beans that are created too early to get a proxy. Calls that an object makes to itself are not
 * checked. For controllers the check happens before arguments are resolved, so that a caller without the scope cannot
 * have a request body read.
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
