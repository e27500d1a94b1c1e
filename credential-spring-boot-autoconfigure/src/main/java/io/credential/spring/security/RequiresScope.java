package io.credential.spring.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Requires that the caller has all of these scopes, or one of several: the authorities {@code SCOPE_<scope>} of an API key
 * or of another mechanism. Can be used on classes, interfaces, methods, and annotations of the application.
 *
 * <p>The class of the bean is decisive. Requirements of a class, its superclasses and its interfaces add up. A scope
 * that is required of a method is required for every call that runs the same method of the bean, through whichever
 * interface or superclass it is called and whichever class declares it.
 *
 * <p>Enforced on every bean without {@code @EnableMethodSecurity}, by a proxy. Startup fails if the proxy could not
 * enforce it: for private and static methods, for final classes and methods unless the bean is proxied by its
 * interfaces, and for beans that are created too early to get a proxy. Calls that an object makes to itself are not
 * checked. For controllers, the check happens before arguments are resolved, so that a caller without the scope cannot
 * have a request body read.
 *
 * @since 0.1.0
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Reflective // in a native image, an annotation that cannot be read would not be enforced
public @interface RequiresScope {

    /** The scopes that are all required. */
    String[] value() default {};

    /** Scopes of which one is required, in addition to those of {@link #value}. At least one of both must be named. */
    String[] anyOf() default {};
}
