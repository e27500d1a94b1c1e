/** X. */
@NullMarked
package io.credential.webhook.delivery.history;

import org.jspecify.annotations.NullMarked;
