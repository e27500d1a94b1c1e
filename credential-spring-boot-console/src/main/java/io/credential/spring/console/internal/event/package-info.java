/** Pages about the event types of the application. */
@NullMarked
package io.credential.spring.console.internal.event;

import org.jspecify.annotations.NullMarked;
