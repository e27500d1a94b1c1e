package io.credential.webhook.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Tells receivers that an enum of a {@linkplain WebhookEvent typed event} may gain values. The schema then lists the current
 * values under {@code x-extensible-enum}, and allows every string. Without this annotation, receivers may reject other values,
 * so that a new one is an incompatible change.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ExtensibleEnum {}
