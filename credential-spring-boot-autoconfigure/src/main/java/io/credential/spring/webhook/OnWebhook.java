package io.credential.spring.webhook;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.core.annotation.AliasFor;

/**
 * Marks a method of a bean that processes stored webhooks of a sender. It runs in a transaction that also marks the webhook as
 * processed. If it throws, the transaction is rolled back and the method is called again after a pause, until no attempts are
 * left. The sender needs {@code credential.webhook.inbound.<name>.store-first}.
 *
 * <p>Parameters can be the {@link io.credential.webhook.signature.VerifiedWebhook}, the body as {@code byte[]} or {@code
 * String}, and one of another type, which is read from JSON. The method runs on a thread without a request, for several events
 * at once and in any order. It must not wait for others: its transaction is open meanwhile.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface OnWebhook {

    /** The configured name of the sender. */
    @AliasFor("sender")
    String value() default "";

    /** The configured name of the sender. */
    @AliasFor("value")
    String sender() default "";

    /** The types of the events. Default: all that no other method names; those that no method is for are not stored. */
    String[] type() default {};
}
