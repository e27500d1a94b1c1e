/** Processes each incoming webhook once, at once or after it was stored. */
@NullMarked
package io.credential.webhook.inbox;

import org.jspecify.annotations.NullMarked;
