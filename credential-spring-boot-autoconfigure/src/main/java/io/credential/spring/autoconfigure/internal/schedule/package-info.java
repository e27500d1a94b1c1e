/** Runs the scheduled jobs of the starter separately from those of the application. */
@NullMarked
package io.credential.spring.autoconfigure.internal.schedule;

import org.jspecify.annotations.NullMarked;
