/** A sample application that issues API keys, accepts orders, and sends and receives webhooks. */
@NullMarked
package io.credential.sample;

import org.jspecify.annotations.NullMarked;
