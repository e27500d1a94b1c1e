/** Runs the scheduled jobs of the starter separately from those of the application. */
@NullMarked
package io.credential.spring.autoconfigure.schedule;

import org.jspecify.annotations.NullMarked;
