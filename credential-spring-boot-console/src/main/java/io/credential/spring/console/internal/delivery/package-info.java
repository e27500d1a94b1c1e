/** Pages about deliveries: the log, single deliveries with their attempts, and sending them again. */
@NullMarked
package io.credential.spring.console.internal.delivery;

import org.jspecify.annotations.NullMarked;
