/** An application that hands out API keys, takes orders from whoever holds one, and sends and takes webhooks. */
@NullMarked
package io.credential.sample;

import org.jspecify.annotations.NullMarked;
