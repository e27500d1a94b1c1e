package io.credential.webhook.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the event type of a record that is dispatched as a webhook. A {@link WebhookEventCatalog} contains the types of an
 * application.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface WebhookEvent {

    /** Returns the event type, for example {@code invoice.paid}: 1 to 255 of {@code [A-Za-z0-9._-]}. */
    String value();

    /** Returns when the event is sent, for the documents that receivers read; may be empty. */
    String description() default "";
}
