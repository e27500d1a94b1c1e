/** Runs our {@code @Scheduled} methods apart from those of the application. */
@NullMarked
package io.credential.spring.autoconfigure.schedule;

import org.jspecify.annotations.NullMarked;
