/** Remembers what was delivered before, so that it is not accepted twice. */
@NullMarked
package io.credential.webhook.replay;

import org.jspecify.annotations.NullMarked;
