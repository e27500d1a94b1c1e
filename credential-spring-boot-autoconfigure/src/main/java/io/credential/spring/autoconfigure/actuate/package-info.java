/** Health, info and endpoints of Actuator, and what it must not show. */
@NullMarked
package io.credential.spring.autoconfigure.actuate;

import org.jspecify.annotations.NullMarked;
