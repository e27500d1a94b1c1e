/** The exception and the stable error codes of everything that handles webhooks. */
@NullMarked
package io.credential.webhook;

import org.jspecify.annotations.NullMarked;
