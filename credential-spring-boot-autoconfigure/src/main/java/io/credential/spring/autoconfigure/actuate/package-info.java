/** What Actuator must not show. */
@NullMarked
package io.credential.spring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
