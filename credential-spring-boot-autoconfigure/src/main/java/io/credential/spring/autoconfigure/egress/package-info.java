/** The one way out for everything that sends webhooks. */
@NullMarked
package io.credential.spring.autoconfigure.egress;

import org.jspecify.annotations.NullMarked;
