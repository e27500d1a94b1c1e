/** Which deliveries are attempted when: what is due, who has room, and the loop. */
@NullMarked
package io.credential.webhook.delivery.engine;

import org.jspecify.annotations.NullMarked;
