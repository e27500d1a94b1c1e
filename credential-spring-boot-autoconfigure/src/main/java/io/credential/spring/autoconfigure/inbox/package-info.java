/** Processes incoming webhooks once, at once or after they were stored. */
@NullMarked
package io.credential.spring.autoconfigure.inbox;

import org.jspecify.annotations.NullMarked;
