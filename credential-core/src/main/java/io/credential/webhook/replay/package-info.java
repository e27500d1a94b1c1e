/** Remembers accepted deliveries, so that none is accepted twice. */
@NullMarked
package io.credential.webhook.replay;

import org.jspecify.annotations.NullMarked;
