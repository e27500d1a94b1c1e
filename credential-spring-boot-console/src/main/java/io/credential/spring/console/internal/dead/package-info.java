/** Dead deliveries by endpoint and reason. */
@NullMarked
package io.credential.spring.console.internal.dead;

import org.jspecify.annotations.NullMarked;
